// An array of values without names, in rows: a square as a square; others as the reader wants them.

const makeCells = (function () {
  const MOST = 2000; // Cells that are shown at first.
  const chosen = new Map(); // By path: how many cells a row has, where the reader said so.
  const seen = new Map(); // By path: what has been seen there, so that cells do not move while one steps.

  // "WHITE_BISHOP" is "WB"; with more letters where that means something else, too.
  function codesOf(labels) {
    const short = (label, letters) => {
      const words = label.split('_'), last = words.pop();
      return words.map((word) => word.slice(0, 1)).join('') + last.slice(0, letters);
    };
    const codes = new Map();
    for (const label of labels) {
      let letters = 1;
      const isTaken = (other) => other !== label && short(other, letters) === short(label, letters);
      while (letters < label.length && labels.some(isTaken)) letters++;
      codes.set(label, short(label, letters));
    }
    return codes;
  }

  // What at least half of the values of a large array are, which is shown as a dot; undefined: nothing is. Where nothing
  // is any more, it stays what it was.
  const usual = new Map();
  function usualOf(all, path) {
    const counts = new Map();
    for (const value of all) counts.set(value, (counts.get(value) || 0) + 1);
    for (const [value, found] of counts) {
      if (all.length >= 12 && 2 * found >= all.length && !usual.has(path)) usual.set(path, value);
    }
    return usual.get(path);
  }

  function widthOf(texts) {
    return 14 + 7.4 * Math.max(1, ...texts.map((text) => text.length));
  }

  function columnsFor(length, room, width) {
    const side = Math.sqrt(length);
    if (Number.isInteger(side) && side >= 3 && side <= 32) return side;
    const most = Math.max(1, Math.min(length, 16, Math.floor(room / width)));
    for (let columns = most; 2 * columns > most; columns--) {
      if (length % columns === 0) return columns;
    }
    return most;
  }

  // All texts that may come, as far as they are known.
  function textsOf(all, type, path) {
    if (Object.hasOwn(states.enums, type)) return states.enums[type].map((value) => valueText(value, 60));
    if (!seen.has(path)) seen.set(path, new Set(type === 'bool' ? ['true', 'false'] : type.endsWith('byte') ? ['100'] : []));
    const found = seen.get(path);
    for (const value of new Set(all.slice(0, 10000))) if (found.size < 200) found.add(valueText(value, 60));
    return [...found];
  }

  // How many columns, how wide, and what to write for labels that are too long for so many.
  function layout(all, type, room, path) {
    const texts = textsOf(all, type, path);
    const isLabels = texts.length <= 60 && all.every((value) => typeof value === 'string' && /^[A-Za-z]/.test(value));
    const lengthOf = (words) => Math.max(1, ...[...words].map((text) => text.length));
    let columns = chosen.get(path) || columnsFor(all.length, room, widthOf(texts));
    const isTight = isLabels && (columns * widthOf(texts) > room || (all.length > 100 && !chosen.has(path)));
    if (!isTight) return {columns, codes: null, length: lengthOf(texts)};
    const codes = codesOf(texts);
    columns = chosen.get(path) || columnsFor(all.length, room, widthOf([...codes.values()]));
    return {columns, codes, length: lengthOf(codes.values())};
  }

  function legend(usual, codes, columns, length, path, again) {
    const words = usual === undefined ? [] : ['\u00b7 ' + valueText(usual, 60)];
    for (const [label, code] of codes || []) {
      if (label !== usual && label !== code) words.push(code + ' ' + label);
    }
    const line = make('p', 'legend', words.join(', '));
    if (length < 16) return line;
    const input = make('input', 'columns');
    input.type = 'number';
    input.min = 1;
    input.max = Math.min(length, 512);
    input.value = columns;
    input.addEventListener('change', () => {
      chosen.set(path, Math.max(1, Math.min(Number(input.max), Math.round(Number(input.value)) || 1)));
      again();
    });
    line.append(make('label', '', words.length ? ' \u2014 ' : '', input, ' in a row'));
    return line;
  }

  // `isNew` says whether the value at a place changed; `valueAt` shows it then, old and new.
  return function makeCells(box, values, member, place, path, isNew, valueAt, from = 0) {
    const all = values.slice(place, place + member.length);
    const {columns, codes, length} = layout(all, member.type, (box.clientWidth || document.body.clientWidth) - 110, path);
    const usual = usualOf(all, path);
    const isSmall = columns > 8 && length <= 2;
    const grid = make('div', isSmall ? 'cells small' : 'cells');
    const to = Math.min(all.length, from + MOST);
    grid.style.gridTemplateColumns = `${String(all.length).length + 2}ch repeat(${columns}, calc(${Math.min(length, 60)}ch + ${isSmall ? 6 : 14}px))`;
    for (let i = from; i < to; i++) {
      const text = valueText(all[i], 60);
      const isChanged = isNew(place + i), isUsual = all[i] === usual && !isChanged;
      const cell = make('span', isUsual ? 'cell usual' : 'cell');
      if ((i - from) % columns === 0) grid.append(make('span', 'index', i));
      // The new value alone: the old one would make all columns wider. The list of changes and the title have both.
      if (isChanged) cell.append(make('span', 'value new', codes ? codes.get(text) : text));
      else cell.textContent = isUsual ? '\u00b7' : codes ? codes.get(text) : text;
      cell.title = `[${i}] ${isChanged ? valueAt(place + i).textContent : text}`;
      grid.append(cell);
    }
    const parts = make('div', 'scrolling', null, grid);
    const again = () => parts.replaceWith(makeCells(box, values, member, place, path, isNew, valueAt, from));
    if (to < all.length) {
      const more = make('button', 'link', `${all.length - to} more`);
      more.type = 'button';
      more.addEventListener('click', () => more.replaceWith(makeCells(box, values, member, place, path, isNew, valueAt, to)));
      parts.append(more);
    }
    parts.append(legend(usual, codes, columns, all.length, path, again));
    return parts;
  };
})();
