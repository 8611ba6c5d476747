// Search: events that have all words, in their type, player, fields or signs.

const search = (function makeSearch() {
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const SLICE = 4000; // Events at a time: the page stays alive.
  let texts = null; // In lower case, made at the first search.
  let matches = null, matched = 0;
  let run = 0;
  let elsewhere = []; // Matches in what this line does not have: a stretch and an event each.
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

  function textElsewhere(stretch, event) {
    const all = stretch.current ? game.events[event] : game.others[stretch.place][event - stretch.from];
    const player = all[PLAYER];
    return [
      game.types[all[TYPE]],
      player < 0 ? '' : playerName(player) + ' player ' + player,
      all[FIELDS] ? valueText(all[FIELDS], 2000) : '',
      notesText(lines.notesOf(stretch.line, event)),
    ].join(' ').toLowerCase();
  }

  function say() {
    const others = elsewhere.length ? `${elsewhere.length} in other lines` : '';
    found.title = others;
    if (!matches) found.textContent = '';
    else if (!matched) found.textContent = others || 'nothing';
    else {
      let before = 0;
      for (let i = 0; i <= view.at; i++) before += matches[i];
      found.textContent = (matches[view.at] ? `${before} of ${matched}` : `${matched} found`) +
        (others && ` +${elsewhere.length}`);
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
    const others = lines.others();
    matched = 0;
    elsewhere = [];
    isRunning = true;
    let at = 0, other = 0;
    function searchOthers() {
      if (mine !== run) return;
      for (let left = SLICE; other < others.length && left > 0; other++) {
        const stretch = others[other];
        for (let event = stretch.from; event < stretch.end; event++, left--) {
          const text = textElsewhere(stretch, event);
          if (words.every((word) => text.includes(word))) elsewhere.push([stretch, event]);
        }
      }
      if (other < others.length) setTimeout(searchOthers);
      else finish(result);
    }
    (function slice() {
      if (mine !== run) return;
      for (const end = Math.min(count, at + SLICE); at < end; at++) {
        texts[at] = texts[at] || textOf(at);
        result[at] = words.every((word) => texts[at].includes(word));
        matched += result[at];
      }
      if (at < count) setTimeout(slice);
      else searchOthers();
    })();
  }

  function change() {
    const text = input.value.trim().toLowerCase();
    wanted = 0;
    if (!text || /^#\d*$/.test(text)) {
      run++;
      elsewhere = [];
      finish(null);
    } else go(text.split(/\s+/));
  }

  // To the next match, or the one before, in the order of the tree: so each is found once on the way round.
  function jump(way) {
    const number = /^#(\d+)$/.exec(input.value.trim());
    if (number) view.go(Number(number[1]));
    if (isRunning) wanted = way;
    if (isRunning || !matches || !(matched || elsewhere.length)) return;
    const here = lines.stretchAt(view.at).place, on = way > 0;
    let at = view.at;
    do at += way;
    while (at >= 0 && at < count && !matches[at]);
    at = at < count ? at : -1;
    let other = on ? elsewhere.find(([stretch]) => stretch.place > here)
      : elsewhere.filter(([stretch]) => stretch.place < here).pop();
    if (at < 0 && !other) { // Round the end.
      at = on ? matches.indexOf(1) : matches.lastIndexOf(1);
      other = elsewhere[on ? 0 : elsewhere.length - 1];
    }
    if (other && (at < 0 || way * (other[0].place - lines.stretchAt(at).place) < 0)) view.goToStretch(...other);
    else view.go(at);
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
