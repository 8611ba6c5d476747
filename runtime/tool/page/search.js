// Search: events that have all words, in their type, player, fields or signs.

const search = (function makeSearch() {
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const SLICE = 4000; // Events at a time: the page stays alive.
  let texts = null; // In lower case, made at the first search.
  let matches = null, matched = 0;
  let run = 0;
  let wanted = 0; // Somebody asked for the next match, or the one before (-1), and the search has not ended.
  let isRunning = false;

  function textOf(event) {
    const player = events[event][PLAYER];
    return [
      game.types[events[event][TYPE]],
      player < 0 ? '' : playerName(player) + ' player ' + player,
      fieldsText(event, 2000),
      notesText(lines.notesAt(event)),
      ...signsOf(event).map((name) => name + ' ' + SIGNS[name][0]),
    ].join(' ').toLowerCase();
  }

  function say() {
    if (!matches) found.textContent = '';
    else if (!matched) found.textContent = 'nothing';
    else {
      let before = 0;
      for (let i = 0; i <= view.at; i++) before += matches[i];
      found.textContent = matches[view.at] ? `${before} of ${matched}` : `${matched} found`;
    }
  }

  function finish(result) {
    matches = result;
    isRunning = false;
    list.mark(matches);
    strip.mark(matches);
    say();
    if (wanted) jump(wanted);
    wanted = 0;
  }

  function go(words) {
    const mine = ++run;
    const result = new Uint8Array(count);
    texts = texts || new Array(count);
    matched = 0;
    isRunning = true;
    let at = 0;
    (function slice() {
      if (mine !== run) return;
      for (const end = Math.min(count, at + SLICE); at < end; at++) {
        texts[at] = texts[at] || textOf(at);
        result[at] = words.every((word) => texts[at].includes(word));
        matched += result[at];
      }
      if (at < count) setTimeout(slice);
      else finish(result);
    })();
  }

  function change() {
    const text = input.value.trim().toLowerCase();
    wanted = 0;
    if (!text || /^#\d*$/.test(text)) {
      run++;
      finish(null);
    } else go(text.split(/\s+/));
  }

  // To the next match, or the one before; round the end.
  function jump(way) {
    const number = /^#(\d+)$/.exec(input.value.trim());
    if (number) view.go(Number(number[1]));
    if (isRunning) wanted = way;
    if (isRunning || !matches || !matched) return;
    let at = view.at;
    do at = (at + way + count) % count;
    while (!matches[at]);
    view.go(at);
  }

  input.addEventListener('input', change);
  input.addEventListener('keydown', (key) => {
    if (key.key === 'Enter') jump(key.shiftKey ? -1 : 1);
    else if (key.key === 'Escape') {
      input.value = '';
      change();
      document.getElementById('list').focus();
    } else return;
    key.preventDefault();
  });
  document.getElementById('found-next').addEventListener('click', () => jump(1));
  document.getElementById('found-before').addEventListener('click', () => jump(-1));

  return {
    jump, say,
    // Another line is shown.
    change() {
      texts = null;
      change();
    },
    focus() {
      input.focus();
      input.select();
    },
  };
})();
