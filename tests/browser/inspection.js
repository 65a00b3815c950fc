// What of a page is serious or critical, as axe finds it. All that a rule finds has the rule's own impact, and those of a lesser one do
// not run.
//
// Whether a text can be told from its ground follows from the way in which it is there. Each is asked about once: `known` says which
// were found good before, one a line, `ways` which were met. An element without a text of its own is not asked about: axe would gather
// all texts in it, to find that none is its own.
async ({way, hasText}, {known, ...options}) => {
  const met = new Set(known.split("\n")), before = met.size;
  const contrast = axe._audit.rules.find((rule) => rule.id === "color-contrast"), asked = contrast.matches;
  contrast.matches = function (element, ...rest) {
    if (!hasText(element) || met.has(way(element)) || !asked.call(this, element, ...rest)) return false;
    met.add(way(element));
    return true;
  };
  try {
    const lesser = axe._audit.rules.filter((rule) => ["minor", "moderate"].includes(rule.impact));
    const rules = Object.fromEntries(lesser.map((rule) => [rule.id, {enabled: false}]));
    const {violations} = await axe.run({resultTypes: ["violations"], rules, ...options});
    const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact));
    return {serious, ways: [...met].slice(before)};
  } finally {
    contrast.matches = asked;
  }
}
