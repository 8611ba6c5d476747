// The lines of the game: which one is shown, where lines part, and the notes at their events.

const lines = (function makeLines() {
  // A stretch is [line, from, count, row, parent, next, parts, 1 main + 2 current].
  const tree = (game.tree || [[0, 0, game.events.length, 0, -1, -1, 0, 3]]).map(
    ([line, from, length, row, parent, next, parts, flags], place) =>
      ({place, line, from, end: from + length, row, parent, next, parts, main: !!(flags & 1), current: !!(flags & 2)}));
  const current = game.line || 0;
  const tips = new Map(); // The last stretch of each line.
  for (const stretch of tree) {
    const tip = tips.get(stretch.line);
    if (!tip || stretch.end >= tip.end) tips.set(stretch.line, stretch);
  }
  const main = tree.reduce((found, stretch) => (stretch.main ? stretch : found)).line;
  const notes = new Map((game.notes || []).map(([line, event, texts]) => [line + ' ' + event, texts]));
  let shown = current;
  let way = []; // The stretches of the line that is shown, from the first event on.

  function wayTo(line) {
    const found = [];
    for (let at = tips.get(line); at; at = tree[at.parent]) found.push(at);
    return found.reverse();
  }

  function stretchAt(event) {
    let low = 0, high = way.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (way[middle].end <= event) low = middle + 1;
      else high = middle;
    }
    return way[low];
  }

  // What follows a stretch: straight on first.
  function follow(stretch) {
    const found = [];
    for (let at = stretch.parts ? stretch.place + 1 : -1; at >= 0; at = tree[at].next) found.push(tree[at]);
    return found;
  }

  function eventsOf(stretch) {
    return stretch.current ? game.events.slice(stretch.from, stretch.end) : game.others[stretch.place];
  }

  // How many events another line has in common with the one that is shown.
  function sharedWith(next) {
    let i = 0;
    while (i < way.length && way[i] === next[i]) i++;
    return i ? way[i - 1].end : 0;
  }

  function show(line) {
    const next = wayTo(tips.has(line) ? line : current);
    const shared = sharedWith(next);
    way = next;
    shown = tips.has(line) ? line : current;
    events = shown === current ? game.events : way.map(eventsOf).flat();
    count = events.length;
    findCauses();
    findThoughts();
    return shared;
  }

  function stretchOf(event) {
    return event < 0 ? tree[0] : stretchAt(event);
  }

  show(current);
  return {
    tree, tips, main, current, follow, stretchAt, stretchOf, show, sharedWith,
    wayTo,
    several: tips.size > 1,
    get shown() { return shown; },
    // Nobody says where another line was left.
    get executed() { return shown === current ? game.executed : count; },
    notesAt: (event) => (notes.size ? notes.get((event < 0 ? tree[0].line : stretchAt(event).line) + ' ' + event) : undefined),
    // Which events have the notes that are about this one: it, and of a move, those that one undo takes back with it.
    notedAt(event) {
      if (!notes.size) return [];
      const [from, to] = events[event][PLAYER] >= 0 && beginsChain(event) ? chainOf(event) : [event, event + 1];
      return Array.from({length: to - from}, (_, i) => from + i).filter((each) => this.notesAt(each));
    },
    notesOf: (line, event) => notes.get(line + ' ' + event),
    // How many ways there are behind an event besides the one that is shown; -1 is the beginning.
    partsBehind(event) {
      const stretch = stretchOf(event);
      return stretch.end === event + 1 && stretch.parts > 1 ? stretch.parts - 1 : 0;
    },
    // The stretch before or behind this one among those that follow the same one, round the end; null: there is none.
    sibling(event, step) {
      const stretch = stretchAt(event);
      if (!stretch || stretch.parent < 0) return null;
      const all = follow(tree[stretch.parent]);
      return all.length > 1 ? all[(all.indexOf(stretch) + step + all.length) % all.length] : null;
    },
    // What the line that is shown does not have.
    others: () => (tree.length > way.length ? tree.filter((stretch) => !way.includes(stretch)) : []),
    // The line that shows a stretch: this one, if it goes that way; else the stretch's own.
    lineFor: (stretch) => (way.includes(stretch) ? shown : stretch.line),
  };
})();

// The text of a note; its line breaks stay.
function noteText(text) {
  if (typeof text !== 'string') return `${Math.floor(text.base64.length * 3 / 4)} bytes`;
  return text.split('\n').map(visible).join('\n');
}

// Notes as one line: "!? Better was e5".
function notesText(texts) {
  if (!texts) return '';
  const {glyph, comment, ...others} = texts;
  return [glyph, comment].filter((text) => text !== undefined).map(noteText)
    .concat(Object.entries(others).map(([key, text]) => visible(key) + ' ' + noteText(text))).join(' ').replace(/\n/g, ' ');
}
