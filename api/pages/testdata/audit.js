// What a careful reader of accessibility would object to on a page, as a list
// of sentences. Every details element is opened first.
(() => {
  const bad = [];
  const at = el => el.tagName.toLowerCase() + (el.id ? "#" + el.id : "") + (el.className && el.className.split ? "." + el.className.split(" ").join(".") : "") + " " + JSON.stringify((el.textContent || "").trim().slice(0, 40));
  const all = (sel, root) => [...(root || document).querySelectorAll(sel)];
  for (const d of all("details")) d.open = true;

  if (!document.documentElement.lang) bad.push("no language");
  if (!document.title) bad.push("no title");
  for (const [sel, n] of [["main", 1], ["h1", 1], ["body > header", 1], ["body > footer", 1]])
    if (all(sel).length !== n) bad.push(all(sel).length + " of " + sel + ", want " + n);
  for (const n of all("nav")) if (!n.getAttribute("aria-label")) bad.push("a nav without a name");
  const skip = document.querySelector("body > a");
  if (!skip || !document.querySelector(skip.getAttribute("href"))) bad.push("no skip link that leads somewhere");

  let level = 0;
  for (const h of all("h1, h2, h3, h4, h5, h6")) {
    const l = +h.tagName[1];
    if (l > level + 1) bad.push("a heading of level " + l + " after " + level + ": " + at(h));
    level = l;
  }
  const seen = new Set();
  for (const el of all("[id]")) {
    if (seen.has(el.id)) bad.push("two elements of id " + el.id);
    seen.add(el.id);
  }
  for (const name of ["aria-labelledby", "aria-describedby"])
    for (const el of all("[" + name + "]"))
      for (const id of el.getAttribute(name).trim().split(/\s+/))
        if (!document.getElementById(id)) bad.push(name + " of " + at(el) + " names " + id + ", which is not there");
  for (const el of all("a[href^='#']"))
    if (!document.getElementById(el.getAttribute("href").slice(1))) bad.push("a link to " + el.getAttribute("href") + ", which is not there");

  for (const el of all("input:not([type=hidden]), select, textarea"))
    if (![...el.labels].some(l => l.textContent.trim())) bad.push("no label: " + at(el) + el.name);
  for (const el of all("a, button, summary"))
    if (!el.textContent.trim() && !el.getAttribute("aria-label")) bad.push("no text: " + at(el));
  for (const el of all("[role=img], [role=region], svg"))
    if (!el.getAttribute("aria-label") && !el.getAttribute("aria-labelledby")) bad.push("no name: " + at(el));
  for (const t of all("table")) {
    if (!t.caption || !t.caption.textContent.trim()) bad.push("a table without a caption");
    for (const th of all("th", t)) if (!th.scope) bad.push("a heading cell without a scope: " + at(th));
  }
  for (const el of all("main *")) {
    const s = getComputedStyle(el);
    if (/auto|scroll/.test(s.overflowX) && el.scrollWidth > el.clientWidth + 1 && el.tabIndex < 0 && !/textarea|input/i.test(el.tagName))
      bad.push("scrolls but not by keyboard: " + at(el));
  }
  for (const el of all("button, .button, input, select, textarea, header a")) {
    const b = el.getBoundingClientRect();
    if (el.type !== "hidden" && (b.height < 24 || b.width < 24)) bad.push("smaller than 24 pixels: " + at(el));
  }
  for (const el of all("a, button, input:not([type=hidden]), select, textarea, summary").slice(0, 12)) {
    el.focus({ focusVisible: true });
    const s = getComputedStyle(el);
    if (document.activeElement === el && (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2)) bad.push("no sign of focus: " + at(el));
    el.blur();
  }

  // Contrast by WCAG 2.2: 4.5, or 3 for large text.
  const parse = c => { const m = c.match(/[\d.]+/g).map(Number); return /^color\(/.test(c) ? [m[0] * 255, m[1] * 255, m[2] * 255, m[3] ?? 1] : [m[0], m[1], m[2], m[3] ?? 1]; };
  const over = (a, b) => { const k = a[3] + b[3] * (1 - a[3]); return k ? [0, 1, 2].map(i => (a[i] * a[3] + b[i] * b[3] * (1 - a[3])) / k).concat(k) : [0, 0, 0, 0]; };
  const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = el => { let c = [0, 0, 0, 0]; for (; el && c[3] < .999; el = el.parentElement) c = over(c, parse(getComputedStyle(el).backgroundColor)); return over(c, [255, 255, 255, 1]); };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
  const told = new Set();
  const check = (el, colour) => {
    const s = getComputedStyle(el), g = ground(el), r = ratio(over(parse(colour || s.color), g), g);
    const size = parseFloat(s.fontSize), large = size >= 24 || size >= 18.66 && s.fontWeight >= 700;
    const what = at(el).split(" ")[0] + " " + r.toFixed(2);
    if (r < (large ? 3 : 4.5) && !told.has(what)) { told.add(what); bad.push("contrast " + r.toFixed(2) + ": " + at(el)); }
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; n = texts.nextNode();) {
    const el = n.parentElement;
    if (!n.textContent.trim() || !el.getClientRects().length || /option|optgroup|script|style/i.test(el.tagName)) continue;
    check(el, el instanceof SVGElement ? getComputedStyle(el).fill : "");
  }
  for (const el of all("input:not([type=hidden]), select, textarea")) check(el);
  // Edges and marks that carry meaning: 3.
  for (const [sel, prop] of [["input, select, textarea", "borderTopColor"], ["svg .retry", "fill"], ["svg .payment_link", "stroke"], ["svg .nudge", "fill"], ["svg .zero", "stroke"]])
    for (const el of all(sel).slice(0, 3)) {
      const g = ground(el.closest("svg") ? el.closest("figure") : el.parentElement), r = ratio(over(parse(getComputedStyle(el)[prop]), g), g);
      if (r < 3) bad.push("contrast " + r.toFixed(2) + " of the " + prop + " of " + at(el));
    }
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = all("body *").filter(el => !el.closest(".scroll, pre") && el.getBoundingClientRect().right > root.clientWidth);
    bad.push("scrolls sideways: " + root.scrollWidth + " in " + root.clientWidth + ": " + wide.slice(-3).map(at).join(", "));
  }
  return bad;
})()
