// A picture that a game drew: SVG, of which only what draws is taken. Nothing is given to the browser as text.

const picture = (function makePictures() {
  const SVG = 'http://www.w3.org/2000/svg';
  const ELEMENTS = new Set(('svg g defs symbol use rect circle ellipse line polyline polygon path text tspan title desc ' +
    'linearGradient radialGradient stop clipPath mask pattern').split(' '));
  const TOKEN = /<!--[^]*?-->|<(\/?)([A-Za-z]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y;
  const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
  const NAMED = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"};

  function plain(text) {
    return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
      if (name) return Object.hasOwn(NAMED, name) ? NAMED[name] : whole;
      const number = parseInt(decimal || hex, decimal ? 10 : 16);
      return number <= 0x10ffff ? String.fromCodePoint(number) : '';
    });
  }

  // The names of a picture's parts are its own, and lead nowhere else.
  function add(element, name, value) {
    if (/^on/i.test(name) || name === 'style' || name === 'class' || /^xmlns/.test(name)) return;
    if (name === 'id') element.setAttribute('id', 'drawn-' + value);
    else if (name === 'href' || name === 'xlink:href') {
      if (value.startsWith('#')) element.setAttribute('href', '#drawn-' + value.slice(1));
    } else if (/url *[(]/i.test(value)) {
      if (/^url[(]#[\w-]+[)]$/.test(value)) element.setAttribute(name, 'url' + '(#drawn-' + value.slice(5));
    } else element.setAttribute(name, value);
  }

  // null: it is not well-formed.
  return function picture(text) {
    const open = [];
    let whole = null;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const token = TOKEN.exec(text);
      if (!token) return null;
      const [all, close, name, attributes, empty] = token, inside = open[open.length - 1];
      if (name === undefined) {
        if (!inside && all.trim() && !all.startsWith('<!--')) return null;
        if (inside && inside.element && !all.startsWith('<!--')) inside.element.append(visible(plain(all.trim() ? all : '')));
      } else if (close) {
        if (!inside || inside.name !== name || attributes || empty) return null;
        open.pop();
      } else {
        if (whole ? !inside : name !== 'svg') return null;
        const isTaken = ELEMENTS.has(name) && (!inside || inside.element);
        const element = isTaken ? document.createElementNS(SVG, name) : null;
        if (element) for (const [, key, one, other] of attributes.matchAll(ATTRIBUTE)) add(element, key, plain(one === undefined ? other : one));
        if (element && inside) inside.element.append(element);
        if (!whole) whole = element;
        if (!empty) open.push({name, element});
      }
    }
    return open.length ? null : whole;
  };
})();
