// What of a page is serious or critical, as axe finds it. All that a rule finds has the rule's own impact, and those of a lesser one do
// not run.
//
// Whether a text can be told from its ground follows from how it and all around it is styled, which most texts of a page share with
// others, and most pages with each other. Each way is asked about once: `known` says which were found good before, `ways` which were met.
async ({known, ...options}) => {
  const met = new Set(known), hashes = new Map();

  function hashed(text) {
    let [one, other] = [5381, 52711];
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one, 33) ^ text.charCodeAt(at);
      other = Math.imul(other ^ text.charCodeAt(at), 16777619);
    }
    return `${one >>> 0} ${other >>> 0}`;
  }

  function way(element) {
    if (!element) return "";
    if (!hashes.has(element)) {
      const style = getComputedStyle(element);
      const looks = [
        style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.fontSize, style.fontWeight, style.textShadow,
        style.filter, style.mixBlendMode, style.position, style.clipPath,
      ];
      const named = [element.localName, element.getAttribute("class"), element.getAttribute("aria-current"), element.disabled];
      hashes.set(element, hashed([...named, ...looks, way(element.parentElement)].join("|")));
    }
    return hashes.get(element);
  }

  const contrast = axe._audit.rules.find((rule) => rule.id === "color-contrast"), asked = contrast.matches;
  contrast.matches = function (element, ...rest) {
    if (met.has(way(element)) || !asked.call(this, element, ...rest)) return false;
    met.add(way(element));
    return true;
  };
  try {
    const lesser = axe._audit.rules.filter((rule) => ["minor", "moderate"].includes(rule.impact));
    const rules = Object.fromEntries(lesser.map((rule) => [rule.id, {enabled: false}]));
    const {violations} = await axe.run({resultTypes: ["violations"], rules, ...options});
    const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact));
    return {serious, ways: [...met].slice(known.length)};
  } finally {
    contrast.matches = asked;
  }
}
