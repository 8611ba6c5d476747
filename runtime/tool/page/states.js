// The states: one that is whole, and what each event changed from there on. A state is a list of values in the order of
// the schema; a place is a number in that list.

const states = (function readStates() {
  const track = readTrack('states-data');
  const structs = track.head && track.head.structs;
  if (structs) measure(structs);
  return {
    ...track, structs,
    enums: (track.head && track.head.enums) || {}, // The names of their values, by the name of the enum.
    root: structs ? structs.length - 1 : -1,
    beginning: track.first === 0 ? track.beginning : null,
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
