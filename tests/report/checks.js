// What a test asks of the page, as functions: text that does not stand out, and things without a name.
({
  contrasts() {
    const numbers = (text) => (text.match(/[\d.]+/g) || []).map(Number);
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const light = (rgb) => rgb.map((part) => linear(part / 255)).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const paper = (node) => {
      for (; node; node = node.parentElement) {
        const style = getComputedStyle(node).backgroundColor, found = numbers(style);
        if (/^(color|oklab)/.test(style)) return style === "transparent" ? null : mixed(node);
        if (found.length === 3 || found[3] === 1) return found.slice(0, 3);
      }
      return [255, 255, 255];
    };
    // A mixed colour is read off a canvas, as the browser paints it.
    const mixed = (node) => {
      const canvas = new OffscreenCanvas(1, 1), pen = canvas.getContext("2d");
      pen.fillStyle = getComputedStyle(node).backgroundColor;
      pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const low = new Set();
    for (const node of document.querySelectorAll("body *")) {
      const says = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
      // What is clipped to a pixel is for screen readers.
      if (!says || !node.checkVisibility() || node.closest(".skip, script") || node.getBoundingClientRect().width < 2) continue;
      const under = paper(node), ink = numbers(getComputedStyle(node).color).slice(0, 3);
      const [above, below] = [light(ink), light(under)].sort((one, other) => other - one);
      const ratio = (above + 0.05) / (below + 0.05);
      if (ratio < 4.5) low.add([node.tagName, node.className, node.textContent.slice(0, 30), ratio.toFixed(2)].join(" | "));
    }
    return [...low].slice(0, 10);
  },
  nameless() {
    const named = (node) => {
      const by = node.getAttribute("aria-labelledby");
      if (by) return by.split(" ").every((id) => document.getElementById(id));
      return node.getAttribute("aria-label") || node.textContent.trim() || (node.labels || [])[0]?.textContent.trim();
    };
    const wanted = "a, button, input, [role=region], dialog, section[aria-labelledby], table";
    return [...document.querySelectorAll(wanted)].filter((node) => !named(node)).map((node) => node.outerHTML.slice(0, 100));
  },
  levels: () => [...document.querySelectorAll("main :is(h2, h3, h4, h5)")].map((one) => Number(one.tagName[1])),
  twice: () => [...document.querySelectorAll("[id]")].map((one) => one.id).filter((id, at, all) => all.indexOf(id) !== at),
  astray: () => [...document.querySelectorAll('a[href^="#"]')].filter((a) => !document.getElementById(a.hash.slice(1))).length,
})
