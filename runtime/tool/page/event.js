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
      return make('li', '', null, label, ' ', longText(String(value)));
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

  function facts(event) {
    const list = make('dl', 'facts');
    const player = game.events[event][PLAYER];
    const told = (...parts) => make('span', 'told', null, ...parts);
    if (player >= 0) fact(list, 'Player', told(badge(player), make('span', 'data', playerName(player))));
    if (causeOf(event) >= 0) fact(list, 'Because of', link(causeOf(event)));
    if (causedFrom[event + 1] > causedFrom[event]) fact(list, 'Led to', ...consequences(event));
    if (thoughts[event] > 0) fact(list, 'Thought for', secondsText(thoughts[event]));
    fact(list, 'Chain', chainText(event));
    for (const name of signsOf(event)) fact(list, '', told(sign(name), make('span', '', SIGNS[name][0])));
    return list;
  }

  return {
    show(event) {
      const [space, name] = typeWords(event);
      const fields = game.events[event][FIELDS];
      box.replaceChildren(
        make('h2', '', null, make('span', 'number', event), ' ', make('span', 'space', space), name),
        facts(event),
        make('h3', '', 'Fields'),
        fields ? make('ul', 'object top', null, ...items(fields, 0)) : make('p', 'empty', 'This event has none.'));
      box.scrollTop = 0;
    },
  };
})();
