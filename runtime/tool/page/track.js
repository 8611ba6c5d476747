// What changes from event to event, by differences: states, and how they look. The first is whole, each later line of the
// text says what its event changed. Something at a place is a number or a text in a list.

function readTrack(id) {
  const text = document.getElementById(id).textContent;
  const ends = [];
  for (let at = text.indexOf('\n', 1); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  const line = (number) => JSON.parse(text.slice(number ? ends[number - 1] : 0, ends[number]));
  const about = line(ends.length - 1);
  if (ends.length < 3) return {about, head: null, has: () => false, leave: () => {}};

  const head = line(0), first = head.first;
  const beginning = line(1);
  let values = beginning.slice();
  let at = first; // `values` is what there was after so many events.

  // Copies now and then, for jumps; about four million values at most.
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
    return number < 0 ? [] : line(number) || [];
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

  // Begins with the copy that is nearest, if it is nearer than what is there.
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
    about, head, first, beginning, after, changesOf, leave,
    has: (wanted) => wanted === first || lineOf(wanted - 1) >= 0,
    // Whether the event has a line that says nothing: nobody looked there.
    isSkipped: (event) => lineOf(event) >= 0 && line(lineOf(event)) === 0,
  };
}
