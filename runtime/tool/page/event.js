// One event: who, what, why, and all its fields.

const eventPart = (function makeEvent() {
  const box = document.getElementById('event');
  const MOST = 200; // Elements, or characters times ten, that are shown at first.

  function link(event) {
    const button = make('button', 'link', event + ' ' + typeWords(event)[1]);
    button.type = 'button';
    button.addEventListener('click', () => view.go(event));
    return button;
  }

  function fact(facts, name, ...content) {
    facts.append(make('dt', '', name), make('dd', '', null, ...content));
  }

  // Shows what is left when somebody asks for it.
  function more(text, show) {
    const button = make('button', 'link', text);
    button.type = 'button';
    button.addEventListener('click', () => button.replaceWith(...show()));
    return button;
  }

  function longText(text) {
    const value = make('span', 'value', visible(text.slice(0, 10 * MOST)) || '\u201c\u201d');
    if (text.length <= 10 * MOST) return value;
    return make('span', '', null, value, ' ', more('all ' + text.length + ' characters', () =>
      [make('span', 'value', visible(text.slice(10 * MOST)))]));
  }

  function items(value, from) {
    const all = Object.entries(value);
    const shown = all.slice(from, from + MOST).map(([name, each]) => field(name, each));
    if (all.length > from + MOST)
      shown.push(make('li', '', null, more((all.length - from - MOST) + ' more', () => items(value, from + MOST))));
    return shown;
  }

  function isFlat(value) {
    return Array.isArray(value) && value.length <= MOST && value.every((each) => typeof each !== 'object');
  }

  function field(name, value) {
    const label = make('span', 'name', visible(name));
    if (value === null || typeof value !== 'object')
      return make('li', '', null, label, ' ', longText(typeof value === 'number' ? valueText(value, MOST, name) : String(value)));
    if (isFlat(value))
      return make('li', '', null, label, ' ', make('span', 'value', valueText(value, 100 * MOST)));
    return make('li', '', null, label, make('ul', 'object', null, ...items(value, 0)));
  }

  function chainText(event) {
    const [from, to] = chainOf(event);
    const what = to - from === 1 ? 'this event alone' : `events ${from} to ${to - 1}`;
    if (isUndone(event)) return `a redo brings back ${what}`;
    let barrier = false;
    for (let i = from; i < to; i++) barrier = barrier || isBarrier(i);
    return barrier ? `${what}: an undo stops here` : `an undo takes back ${what}`;
  }

  function consequences(event) {
    const all = caused.subarray(causedFrom[event], causedFrom[event + 1]);
    const links = Array.from(all.subarray(0, 12), link);
    if (all.length > 12) links.push(more(`${all.length - 12} more`, () => Array.from(all.subarray(12, 500), link)));
    return links;
  }

  // Another way behind an event: what it begins with.
  function wayOn(stretch) {
    const shown = lines.lineFor(stretch) === lines.shown, event = stretch.from;
    const first = stretch.current ? game.events[event] : game.others[stretch.place][0];
    const words = first ? visible(game.types[first[TYPE]]).split('.').pop() + ' ' +
      (first[FIELDS] ? valueText(first[FIELDS], 60).slice(1, -1) : '') : 'nothing yet';
    const button = make('button', 'link way', null, make('span', 'number', 'line ' + stretch.line), ' ' + words);
    const texts = first && lines.notesOf(stretch.line, event);
    if (first && first[PLAYER] >= 0) button.prepend(badge(first[PLAYER]));
    if (texts) button.append(' ', make('span', 'told-here', cut(notesText(texts), 80)));
    button.type = 'button';
    button.disabled = !first;
    button.addEventListener('click', () => view.goToStretch(stretch));
    return make('li', shown ? 'taken' : '', null, button);
  }

  function waysOn(event) {
    const stretch = lines.stretchOf(event);
    if (stretch.end !== event + 1 || stretch.parts < 2) return [];
    const all = lines.follow(stretch);
    const items = (from, to) => all.slice(from, to).map(wayOn);
    const list = make('ul', 'ways', null, ...items(0, 20));
    if (all.length > 20) {
      const rest = make('li', '', null, more(`${all.length - 20} more`, () => items(20, 2000)));
      list.append(rest);
    }
    return [make('h3', '', event < 0 ? 'Ways to begin' : `Ways on from here: ${all.length}`), list];
  }

  function way(text, go) {
    const button = make('button', 'link', text);
    button.type = 'button';
    button.addEventListener('click', go);
    return button;
  }

  function lineWords(event) {
    const stretch = lines.stretchAt(event), parent = lines.tree[stretch.parent];
    const words = make('span', 'told', stretch.line + (stretch.main ? ', the main line' : '') +
      (stretch.current ? ', on the way to the current place' : ''));
    const found = [words], ways = parent ? lines.follow(parent) : [];
    if (parent && parent.end) found.push(way('lines part after ' + (parent.end - 1), () => view.fork()));
    if (ways.length > 1)
      found.push(way(`way ${ways.indexOf(stretch) + 1} of ${ways.length}: the next one`, () => view.sibling(1)));
    if (!stretch.main) found.push(way('to the main line', () => view.main()));
    return found.flatMap((each) => ['\u00b7', each]).slice(1);
  }

  function notes(texts, head) {
    if (!texts) return [];
    const {glyph, comment, author, ...others} = texts;
    const box = make('div', 'notes');
    if (head) box.append(make('p', 'about', null, head));
    if (glyph !== undefined) box.append(make('span', 'glyph', noteText(glyph)), ' ');
    if (comment !== undefined) box.append(make('p', 'comment', noteText(comment)));
    if (author !== undefined) box.append(make('p', 'author', '\u2014 ' + noteText(author)));
    for (const key in others) box.append(make('p', '', null, make('span', 'name', visible(key)), ' ', make('span', 'value', noteText(others[key]))));
    return [box];
  }

  function facts(event) {
    const list = make('dl', 'facts');
    const player = events[event][PLAYER];
    const told = (...parts) => make('span', 'told', null, ...parts);
    if (player >= 0) fact(list, 'Player', told(badge(player), make('span', 'data', playerName(player))));
    if (lines.several) fact(list, 'Line', ...lineWords(event));
    if (causeOf(event) >= 0) fact(list, 'Because of', link(causeOf(event)));
    if (causedFrom[event + 1] > causedFrom[event]) fact(list, 'Led to', ...consequences(event));
    if (thoughts[event] > 0) fact(list, 'Thought for', secondsText(thoughts[event]));
    fact(list, 'Chain', chainText(event));
    for (const name of signsOf(event)) fact(list, '', told(sign(name), make('span', '', SIGNS[name][0])));
    return list;
  }

  // Where the game begins: its own notes. Then those of the event; of a move, those at what followed from it, too.
  function allNotes(event) {
    const found = event < Math.max(1, setUp) ? notes(lines.notesAt(-1), 'The game') : [];
    for (const each of lines.notedAt(event)) found.push(...notes(lines.notesAt(each), each === event ? '' : link(each)));
    return found;
  }

  return {
    show(event) {
      const [space, name] = typeWords(event);
      const fields = events[event][FIELDS];
      box.replaceChildren(
        make('h2', '', null, make('span', 'number', event), ' ', make('span', 'space', space), name),
        ...allNotes(event),
        facts(event),
        ...(event === 0 && lines.tree[0].end === 0 ? waysOn(-1) : []),
        ...waysOn(event),
        make('h3', '', 'Fields'),
        fields ? make('ul', 'object top', null, ...items(fields, 0)) : make('p', 'empty', 'This event has none.'));
      box.scrollTop = 0;
    },
  };
})();
