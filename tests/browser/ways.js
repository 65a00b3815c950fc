// In which way a text stands on its page, as a word: how it is styled, and what lies behind it. Most texts of a page share theirs with
// others, and most pages with each other. And whether an element has a text of its own, as a field has its value.
() => {
  const texts = new Map(), grounds = new Map();

  function hashed(...parts) {
    let [one, other] = [5381, 52711];
    for (const letter of parts.join("|")) {
      one = Math.imul(one, 33) ^ letter.codePointAt(0);
      other = Math.imul(other ^ letter.codePointAt(0), 16777619);
    }
    return `${one >>> 0} ${other >>> 0}`;
  }

  function once(known, element, asked) {
    if (!known.has(element)) known.set(element, asked(element, getComputedStyle(element)));
    return known.get(element);
  }

  function ground(element) {
    return element ? once(grounds, element, (_, style) => {
      const looks = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode, style.clipPath];
      const isApart = !["static", "relative"].includes(style.position);
      if (isApart) looks.push(style.position, element.getAttribute("class"));
      const isClear = looks.join() === "rgba(0, 0, 0, 0),none,1,none,normal,none";
      return isClear ? ground(element.parentElement) : hashed(...looks, ground(element.parentElement));
    }) : "";
  }

  // As WCAG has it, which asks less of large texts, and as a link in a text is told from it.
  const way = (element) => once(texts, element, (_, {color, fontSize, fontWeight, textShadow}) => {
    const size = parseFloat(fontSize), isLarge = size >= 24 || (size >= 18.66 && fontWeight >= 700), link = element.closest("a");
    const around = link?.parentElement ? [getComputedStyle(link).textDecorationLine, getComputedStyle(link.parentElement).color] : [];
    return hashed(color, isLarge, textShadow, ...around, element.closest(":disabled") !== null, ground(element));
  });

  const hasText = (element) => ["input", "select", "textarea"].includes(element.localName) ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());

  return {way, hasText};
}
