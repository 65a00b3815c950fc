// What of a page is seen as it is looked at now: the ways in which its texts stand there, and what there is of elements that were not
// seen when the page was last `marked`, or that can be scrolled sideways now and could not be then.
({way, hasText}, {mark}) => {
  const before = document.marked ?? new Map(), kinds = new Set(), texts = new Set(), now = new Map();
  for (const one of document.body.querySelectorAll("*")) {
    if (!one.checkVisibility({visibilityProperty: true})) continue;
    const scrolls = one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== "visible";
    now.set(one, scrolls);
    if (before.get(one) !== scrolls) {
      const kind = [one.localName, ...["class", "role", "tabindex"].map((name) => one.getAttribute(name)), scrolls];
      kinds.add(kind.join("|").replace(/\s+/g, " "));
    }
    if (hasText(one)) texts.add(way(one));
  }
  if (mark) document.marked = now;
  return {texts: [...texts].join("\n"), kinds: [...kinds].join("\n")};
}
