// The states: one that is whole, and what each event changed from there on. A state is a list of values in the order of
// the schema; a place is a number in that list.

const states = (function readStates() {
  const text = document.getElementById('states-data').textContent;
  const ends = [];
  for (let at = text.indexOf('\n', 1); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  const line = (number) => JSON.parse(text.slice(number ? ends[number - 1] : 0, ends[number]));
  const about = line(ends.length - 1);
  if (ends.length < 3) return {about, structs: null, has: () => false, leave: () => {}};

  const {structs, first} = line(0);
  const beginning = line(1);
  let values = beginning.slice();
  let at = first; // `values` is the state after so many events.
  measure(structs);

  // Copies of the state now and then, for jumps; about four million values at most.
  const every = Math.max(200, Math.ceil((about.shown - first) * beginning.length / 4000000));
  const copies = new Map();

  // Of stretches that are not executed in the current line: [stretch, its first event here, where in the text, how many].
  const others = new Map((about.others || []).map(([place, from, number, length]) => [place, {from, number, length}]));

  // Which line of the text says what the event changed; -1: none.
  function lineOf(event) {
    if (event < first || event >= count) return -1;
    const stretch = lines.stretchAt(event), other = others.get(stretch.place);
    if (other && event >= other.from) return event < other.from + other.length ? other.number + event - other.from : -1;
    return stretch.current && event < about.shown ? 2 + event - first : -1;
  }

  // [place, old, new, …] of the event.
  function changesOf(event) {
    const number = lineOf(event);
    return number < 0 ? [] : line(number);
  }

  // Back to where another line has the same events; after that, it is shown.
  function leave(shared) {
    while (at > Math.max(shared, first)) step(false);
    for (const copy of copies.keys()) if (copy > shared) copies.delete(copy);
  }

  function step(forward) {
    const changes = changesOf(forward ? at : at - 1);
    for (let i = 0; i < changes.length; i += 3) values[changes[i]] = changes[i + (forward ? 2 : 1)];
    at += forward ? 1 : -1;
    if ((at - first) % every === 0 && !copies.has(at)) copies.set(at, values.slice());
  }

  // Begins with the copy that is nearest, if it is nearer than the state that is there.
  function begin(wanted) {
    let best = at;
    for (const copy of [wanted - (wanted - first) % every, wanted - (wanted - first) % every + every, first]) {
      if ((copies.has(copy) || copy === first) && Math.abs(copy - wanted) < Math.abs(best - wanted)) best = copy;
    }
    if (best === at) return;
    values = (copies.get(best) || beginning).slice();
    at = best;
  }

  // The values after `events` events.
  function after(events) {
    begin(events);
    while (at < events) step(true);
    while (at > events) step(false);
    return values;
  }

  return {
    about, structs, first, after, changesOf, leave,
    root: structs.length - 1,
    beginning: first === 0 ? beginning : null,
    has: (wanted) => wanted === first || lineOf(wanted - 1) >= 0,
  };
})();

// Gives structs and members what the page needs to know besides: how many values they have, and where.
function measure(structs) {
  for (const struct of structs) {
    struct.size = 0;
    struct.members = struct.members.map(([name, type, length, inner, pool]) => {
      const each = inner < 0 ? 1 : structs[inner].size;
      const member = {name, type, length, inner, pool, each, place: struct.size, size: each * (length || 1)};
      struct.size += member.size;
      return member;
    });
  }
}

// "game.players[1].color"
function pathOf(place) {
  let struct = states.structs[states.root], path = '';
  for (;;) {
    const members = struct.members;
    let low = 0, high = members.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (members[middle].place <= place) low = middle;
      else high = middle - 1;
    }
    const member = members[low];
    place -= member.place;
    path += (path ? '.' : '') + visible(member.name) + (member.length ? '[' + Math.floor(place / member.each) + ']' : '');
    if (member.inner < 0) return path;
    place %= member.each;
    struct = states.structs[member.inner];
  }
}

// The state after `events` events as JSON has it.
function stateObject(events) {
  const values = states.after(events);
  const build = (struct, place) => {
    const object = Object.create(null); // Whatever the members are called.
    for (const member of struct.members) {
      const one = (at) => (member.inner < 0 ? values[at] : build(states.structs[member.inner], at));
      object[member.name] = member.length
        ? Array.from({length: member.length}, (_, i) => one(place + member.place + i * member.each))
        : one(place + member.place);
    }
    return object;
  };
  return build(states.structs[states.root], 0);
}
