// Verifies the game, and plays it on from the place where the reader is. It takes the room of everything but the head.

const play = (function makePlay() {
  const MOST = 600; // Moves that are shown.
  const button = (name, text, title, act) => {
    const made = make('button', name, text);
    made.type = 'button';
    if (title) made.title = title;
    made.addEventListener('click', act);
    return made;
  };
  const begin = button('begin', 'Play on', 'Play on from here (P)', () => start());
  const verdict = make('p', 'verdict', 'Executing …');
  const drawing = make('div', 'drawing'), panel = make('div', 'panel'), box = make('section', '', null, drawing, panel);
  const foot = make('footer', '');
  const filter = make('input', 'filter');
  let opened = false; // The save is executed.
  let shown = null; // What the rules said last.
  let from = 0; // The events from here on were played, or are looked at.
  let chosen = []; // What was clicked: words, and the moves that are left.
  let problem = '';
  let columns = 8, rows = 1; // Of a text.

  // --- Moves ---------------------------------------------------------------------------------------------------------

  // A field that is the same in all moves of a type says nothing.
  function moveWords([, type, fields]) {
    const others = shown.moves.filter((move) => move[1] === type);
    const said = Object.keys(fields).filter((name) => others.length === 1 ||
      others.some((move) => String(move[2][name]) !== String(fields[name])));
    const words = said.map((name) => `${visible(name)} ${valueText(fields[name], 200, name)}`).join(', ');
    return words || visible(type).split('.').pop();
  }

  function fits(fields, field, value) {
    if (!Object.hasOwn(fields, field)) return false;
    const found = fields[field];
    return Array.isArray(found) ? found.some((each) => String(each) === value) : String(found) === value;
  }

  function movesLeft() {
    return chosen.length ? chosen[chosen.length - 1].moves : shown.moves.map((move, number) => [...move, number]);
  }

  // An element says which field of a move has which value there; the first that fits counts.
  function choicesAt(element) {
    const left = movesLeft();
    for (let at = element; at && at !== drawing; at = at.parentElement) {
      for (const {name, value} of at.attributes) {
        const field = name.startsWith('data-') ? name.slice(5) : '';
        const moves = field ? left.filter((move) => fits(move[2], field, value)) : [];
        if (moves.length) return {words: `${field} ${value}`, moves, field, value};
      }
    }
    return null;
  }

  function click(event) {
    const choice = choicesAt(event.target);
    if (!choice) chosen = [];
    else if (choice.moves.length === 1) return act(() => rules.move(choice.moves[0][3]));
    else chosen.push(choice);
    return update();
  }

  function choices() {
    if (!chosen.length) return [];
    return [make('p', 'chosen', null, `${chosen.map(({words}) => words).join(', ')} `,
      button('link', 'all moves', 'Escape', () => { chosen = []; update(); }))];
  }

  // Where it has the reader's attention, the drawing shows what it is about.
  function moveButton(move) {
    const made = button('move', moveWords(move), '', () => act(() => rules.move(move[3])));
    for (const name of ['pointerenter', 'focus']) made.addEventListener(name, () => mark('hinted', [move]));
    for (const name of ['pointerleave', 'blur']) made.addEventListener(name, () => mark('hinted', []));
    return made;
  }

  function moveList() {
    const made = [], words = filter.value.trim().toLowerCase().split(/\s+/);
    const isAsked = (move) => words.every((word) => `${move[1]} ${moveWords(move)}`.toLowerCase().includes(word));
    const all = movesLeft().filter(isAsked);
    let last = '', list = null;
    for (const move of all.slice(0, MOST)) {
      const group = `${move[0]} ${move[1]}`;
      if (group !== last) {
        list = make('div', 'moves');
        made.push(make('h3', '', null, badge(move[0]), ' ', visible(move[1]).split('.').pop()), list);
        last = group;
      }
      list.append(moveButton(move));
    }
    if (all.length > MOST) made.push(make('p', 'hint', `${all.length - MOST} more: type what you look for.`));
    if (!all.length && shown.moves.length) made.push(make('p', 'hint', 'No move is like that.'));
    return made;
  }

  function commandList() {
    if (!shown.commands.length || shown.over) return [];
    const made = shown.commands.map(([key, name], number) => {
      const one = button('move', name, '', () => act(() => rules.command(number)));
      if (key) one.append(' ', make('kbd', '', key));
      return one;
    });
    return [make('h3', '', 'Commands'), make('div', 'moves', null, ...made)];
  }

  // --- What is shown ---------------------------------------------------------------------------------------------------

  // Marks the elements that have a field of one of these moves.
  function mark(name, moves) {
    const keys = new Set(moves.flatMap(([, , fields]) => Object.entries(fields).flatMap(([field, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => `data-${field}=${each}`))));
    for (const each of drawing.querySelectorAll('*'))
      each.classList.toggle(name, Array.from(each.attributes).some((own) => keys.has(`${own.name}=${own.value}`)));
  }

  function drawBoard() {
    const text = shown.drawing;
    const made = text.startsWith('<svg') ? picture(text) : null;
    if (made) {
      made.setAttribute('role', 'img');
      made.setAttribute('aria-label', 'The game now');
      made.removeAttribute('width');
      made.removeAttribute('height');
      drawing.replaceChildren(made);
      mark('clickable', movesLeft());
      mark('picked', chosen.map(({field, value}) => [0, '', {[field]: value}]));
    } else {
      const lines = text.replace(/\n$/, '').split('\n');
      columns = lines.reduce((most, line) => Math.max(most, [...line].length), columns);
      rows = Math.max(rows, lines.length);
      drawing.replaceChildren(make('pre', 'text-board', null, ...lines.map((line) => make('span', '', visible(line) + '\n'))));
      fit();
    }
    box.classList.toggle('no-drawing', !text);
  }

  function fit() {
    if (!drawing.clientWidth) return;
    const wide = (drawing.clientWidth - 32) / (columns * 0.61), high = (drawing.clientHeight - 20) / (rows * 1.25);
    drawing.style.fontSize = Math.max(5, Math.min(wide, high, 24)) + 'px';
  }

  function turnWords() {
    if (shown.over) return ['The game is over.'];
    return shown.player >= 0 ? [badge(shown.player), make('span', 'data', playerName(shown.player)), 'is to move.'] : [];
  }

  function playedList() {
    if (!shown.played.length) return [];
    const list = make('ol', 'played');
    shown.played.forEach(([player, begins, text], i) => {
      const words = visible(text);
      const row = begins
        ? button('link', words, 'Back to behind this move', () => act(() => rules.go(shown.line, from + i + 1)))
        : make('span', 'caused', words);
      list.append(make('li', '', null, make('span', 'number', from + i), player < 0 ? ' ' : badge(player), row));
    });
    return [make('h3', '', 'Played since'), list];
  }

  function stateText() {
    const details = make('details', '', null, make('summary', '', 'State'), make('pre', 'value', JSON.stringify(shown.state, null, 1)));
    details.open = box.classList.contains('no-drawing');
    return details;
  }

  function update() {
    const isMany = shown.moves.length > 12;
    const scroll = panel.scrollTop;
    filter.hidden = !isMany;
    drawBoard();
    panel.replaceChildren(
      make('p', 'turn', null, ...turnWords()),
      ...(problem ? [make('p', 'problem', problem)] : []),
      ...choices(), filter, make('div', 'list', null, ...moveList(), ...commandList()), ...playedList(), stateText(),
      make('p', 'hint', 'This is a copy: the record stays as it is. The page holds the whole save and the rules, so whoever has ' +
        'it can see what is hidden.'));
    panel.scrollTop = scroll;
    foot.querySelector('.undo').disabled = !shown.undo;
    foot.querySelector('.redo').disabled = !shown.redo;
    foot.querySelector('.computer').hidden = !shown.computer || shown.over;
    foot.querySelector('.anew').hidden = !problem;
    foot.querySelector('.place').textContent = `${shown.count} events · line ${shown.line}`;
    box.dataset.hash = shown.hash;
  }

  filter.type = 'search';
  filter.placeholder = 'Moves with …';
  filter.setAttribute('aria-label', 'Which moves to show');
  filter.addEventListener('input', () => panel.querySelector('.list').replaceChildren(...moveList(), ...commandList()));

  // --- Playing -----------------------------------------------------------------------------------------------------------

  // Does something, and shows what became of it.
  function act(run) {
    problem = '';
    chosen = [];
    filter.value = '';
    try {
      run();
    } catch (error) {
      problem = visible(error.message);
    }
    try {
      shown = rules.show(from);
      if (shown.count < from) {
        from = shown.count;
        shown = rules.show(from);
      }
    } catch (error) {
      problem = problem || visible(error.message);
    }
    if (shown) update();
  }

  function think() {
    foot.querySelector('.place').textContent = 'Thinking …';
    requestAnimationFrame(() => setTimeout(() => act(rules.computer)));
  }

  function download() {
    act(() => {
      const link = make('a', '');
      const name = (typeof game.title === 'string' && game.title.replace(/[^\p{L}\p{N} _-]/gu, '').trim()) || 'game';
      link.href = URL.createObjectURL(new Blob([rules.save()], {type: 'application/octet-stream'}));
      link.download = name + '.kifu';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }

  function start() {
    if (!opened) return;
    document.body.classList.add('playing');
    box.hidden = foot.hidden = false;
    from = Math.min(count, view.at + 1);
    act(() => rules.go(lines.shown, from));
    if (shown && shown.count > from) { // It was inside of a move.
      from = shown.count;
      shown = rules.show(from);
      update();
    }
    panel.focus({preventScroll: true});
  }

  function leave() {
    document.body.classList.remove('playing');
    box.hidden = foot.hidden = true;
    view.show();
    begin.focus();
  }

  async function anew() {
    await open();
    if (opened) start();
  }

  // --- Keys ----------------------------------------------------------------------------------------------------------------

  function step(by) {
    const all = [...panel.querySelectorAll('.move')], at = all.indexOf(document.activeElement);
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    if (next) next.focus();
  }

  const keys = {
    ArrowLeft: () => act(rules.undo), ArrowRight: () => act(rules.redo), ArrowUp: () => step(-1), ArrowDown: () => step(1),
    z: () => act(rules.undo), y: () => act(rules.redo), o: () => shown.computer && think(), s: download,
    '/': () => filter.focus(),
    Escape: () => { if (!chosen.length) return leave(); chosen = []; return update(); },
  };

  // Before the keys of the page, which move in the record. A game's own come first.
  document.addEventListener('keydown', (key) => {
    const isPlaying = document.body.classList.contains('playing');
    if (key.ctrlKey || key.metaKey || key.altKey || document.getElementById('help').open) return;
    if (!isPlaying) {
      if (key.key.toLowerCase() === 'p' && key.target.tagName !== 'INPUT') start();
      return;
    }
    if (key.key === 'Tab' || key.key === 'Enter' || key.key === ' ' || key.key === 'Shift') return;
    if (key.target.tagName === 'INPUT' && key.key !== 'Escape') return key.stopImmediatePropagation();
    if (key.key === 't' || key.key === '?') return;
    key.stopImmediatePropagation();
    const command = shown ? shown.commands.findIndex(([letter]) => letter === key.key) : -1;
    if (command < 0 && !Object.hasOwn(keys, key.key)) return;
    key.preventDefault();
    if (command >= 0) act(() => rules.command(command));
    else keys[key.key]();
  }, {capture: true});

  // --- Begin ---------------------------------------------------------------------------------------------------------------

  function say(kind, words) {
    verdict.className = 'verdict ' + kind;
    verdict.textContent = words;
    verdict.title = words;
  }

  async function open() {
    opened = false;
    begin.disabled = true;
    try {
      const found = await rules.open();
      const hash = `state hash ${found.hash}`;
      opened = true;
      begin.disabled = !count;
      const others = found.lines > 1 ? ` and ${found.lines - 1} other lines` : '';
      if (found.differs || found.why) say('bad', `\u2717 The rules in this page play this game otherwise than the program that saved it: ${visible(found.why || hash)}`);
      else if (!found.compared) say('unsure', `Executed ${found.events} events here; the save has no hash to compare with. ${hash}`);
      else say('good', `\u2713 Verified: ${found.events} events${others} were executed here, and gave what the save says, ${hash}`);
    } catch (error) {
      say('bad', '\u2717 Not verified, and cannot be played on: ' + visible(error.message));
    }
  }

  box.id = 'play';
  foot.id = 'play-foot';
  panel.tabIndex = -1;
  verdict.setAttribute('role', 'status');
  box.setAttribute('aria-label', 'Playing on');
  box.hidden = foot.hidden = true;
  foot.append(
    button('undo', '\u21b6 Undo', 'Undo (Left, Z)', () => act(rules.undo)), button('redo', '\u21b7 Redo', 'Redo (Right, Y)', () => act(rules.redo)),
    button('computer', 'Computer', 'The computer moves (O)', think), make('output', 'place'),
    button('save', 'Save', 'Download as a save (S)', download), button('anew', 'Anew', 'Execute the save again, and play on from there', anew),
    button('leave', 'Record', 'Back to the record (Escape)', leave));
  document.querySelector('.tools').prepend(begin);
  document.querySelector('.heading').append(verdict);
  document.querySelector('main').after(box);
  document.querySelector('body > footer').after(foot);
  drawing.addEventListener('click', click);
  new ResizeObserver(() => shown && !shown.drawing.startsWith('<svg') && fit()).observe(drawing);
  begin.disabled = true;
  requestAnimationFrame(() => setTimeout(open));
  return {get opened() { return opened; }, get shown() { return shown; }};
})();
