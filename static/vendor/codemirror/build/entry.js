// A markdown editor over a plain textarea. The textarea stays the form's field: every change is written back to it.
import {EditorState, StateEffect, StateField, RangeSet, RangeSetBuilder} from "@codemirror/state";
import {
  EditorView, Decoration, drawSelection, dropCursor, GutterMarker, gutterLineClass, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
import {defineLanguageFacet, Language, languageDataProp, LanguageSupport, syntaxHighlighting, HighlightStyle} from "@codemirror/language";
import {highlightSelectionMatches, search, searchKeymap} from "@codemirror/search";
import {GFM, parser as markdownParser} from "@lezer/markdown";
import {tags} from "@lezer/highlight";

// The language straight from its parser: the usual package brings HTML, CSS and JavaScript with it, which no memory needs.
const facet = defineLanguageFacet({commentTokens: {block: {open: "<!--", close: "-->"}}});
const markdown = new LanguageSupport(
  new Language(facet, markdownParser.configure([GFM, {props: [languageDataProp.add((type) => (type.isTop ? facet : undefined))]}]), [], "markdown"),
);

const colours = HighlightStyle.define([
  {tag: tags.heading, color: "var(--global)", fontWeight: "640"},
  {tag: tags.strong, fontWeight: "640"},
  {tag: tags.emphasis, fontStyle: "italic"},
  {tag: tags.strikethrough, textDecoration: "line-through"},
  {tag: [tags.link, tags.url], color: "var(--accent)"},
  {tag: tags.monospace, color: "var(--chat)"},
  {tag: [tags.quote, tags.comment, tags.contentSeparator], color: "var(--soft)"},
]);

const theme = EditorView.theme({
  "&": {color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13px", height: "100%"},
  "&.cm-focused": {outline: "none"},
  ".cm-scroller": {fontFamily: "var(--mono)", lineHeight: "1.65", overflow: "auto"},
  ".cm-content": {padding: "12px 0", caretColor: "var(--ink)"},
  ".cm-line": {padding: "0 12px 0 6px"},
  ".cm-gutters": {backgroundColor: "var(--surface)", color: "var(--soft)", border: "none"},
  ".cm-lineNumbers .cm-gutterElement": {padding: "0 8px 0 12px", minWidth: "32px"},
  ".cm-activeLine, .cm-activeLineGutter": {backgroundColor: "var(--sunk)"},
  ".cm-changed, .cm-changed.cm-activeLine": {backgroundColor: "var(--added)"},
  ".cm-changed-gutter": {backgroundColor: "var(--added)", fontWeight: "640"},
  ".cm-cursor": {borderLeftColor: "var(--ink)"},
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-selectionMatch": {backgroundColor: "var(--accent-soft)"},
  ".cm-panels": {backgroundColor: "var(--sunk)", color: "var(--ink)", borderColor: "var(--line)"},
  ".cm-panel input, .cm-panel button": {font: "inherit"},
});

// Lines that differ from the version the editor started from.
const setChanged = StateEffect.define();
const line = Decoration.line({class: "cm-changed"});
const gutter = new (class extends GutterMarker { elementClass = "cm-changed-gutter"; })();
const changed = StateField.define({
  create: () => ({lines: Decoration.none, gutters: RangeSet.empty}),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setChanged)) continue;
      const lines = new RangeSetBuilder();
      const gutters = new RangeSetBuilder();
      for (const number of effect.value) {
        const from = transaction.state.doc.line(number).from;
        lines.add(from, from, line);
        gutters.add(from, from, gutter);
      }
      return {lines: lines.finish(), gutters: gutters.finish()};
    }
    return transaction.docChanged
      ? {lines: value.lines.map(transaction.changes), gutters: value.gutters.map(transaction.changes)}
      : value;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => value.lines),
    gutterLineClass.from(field, (value) => value.gutters),
  ],
});

/** Which lines of `now` are new or changed against `base`: numbers from 1, by common head and tail and then by content. */
function changedLines(base, now) {
  let head = 0;
  while (head < base.length && head < now.length && base[head] === now[head]) head++;
  let tail = 0;
  while (tail < base.length - head && tail < now.length - head && base[base.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const known = new Map();
  for (let i = head; i < base.length - tail; i++) known.set(base[i], (known.get(base[i]) || 0) + 1);
  const found = [];
  for (let i = head; i < now.length - tail; i++) {
    const left = known.get(now[i]) || 0;
    if (left > 0) known.set(now[i], left - 1);
    else found.push(i + 1);
  }
  return found;
}

// Left to itself, Chromium carries the look of what is typed over into a style attribute, which the page's policy forbids.
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const {main, ranges} = view.state.selection;
    const plain = event.inputType === "insertText" && event.data && event.cancelable && !event.isComposing && !view.composing;
    if (!plain || main.empty || ranges.length > 1 || view.state.readOnly) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), {userEvent: "input.type", scrollIntoView: true});
    return true;
  },
});

/**
 * Mount the editor in `place` over `textarea`. `phrases` are its own words in the reader's language, by their English ones.
 * `first` is the number of the first line, of a text that is a part of another.
 * `onChange(text, changed)` is called after each edit; returns what the page needs.
 */
function mount(textarea, place, {nonce = "", base = textarea.value, label = "", readOnly = false, phrases = {}, first = 1, onChange = () => {}} = {}) {
  let baseLines = base.split("\n");
  const mark = (view) => {
    const lines = changedLines(baseLines, view.state.doc.toString().split("\n"));
    view.dispatch({effects: setChanged.of(lines)});
    return lines.length;
  };
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: textarea.value,
      extensions: [
        nonce ? EditorView.cspNonce.of(nonce) : [],
        lineNumbers({formatNumber: (number) => String(number + first - 1)}), history(), drawSelection(), dropCursor(), highlightSpecialChars(), highlightActiveLine(),
        highlightActiveLineGutter(), highlightSelectionMatches(), search({top: true}), EditorView.lineWrapping,
        markdown, syntaxHighlighting(colours), theme, changed, typedOver,
        keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorState.readOnly.of(readOnly),
        EditorState.phrases.of(phrases),
        EditorView.contentAttributes.of({"aria-label": label, spellcheck: "true", tabindex: "0"}),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          textarea.value = update.state.doc.toString();
          queueMicrotask(() => onChange(textarea.value, mark(view)));
        }),
      ],
    }),
  });
  mark(view);
  return {
    view,
    text: () => view.state.doc.toString(),
    setBase: (text) => { baseLines = text.split("\n"); return mark(view); },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

window.KenowebEditor = {mount};
