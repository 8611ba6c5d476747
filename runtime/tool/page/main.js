// Begins: the head of the page, keys, buttons, touch, light and dark.

(function main() {
  const body = document.body;
  const byId = (id) => document.getElementById(id);

  // --- The head ------------------------------------------------------------------------------------------------------

  function describe() {
    const undone = game.events.length - game.executed;
    const words = ['A game of ' + visible(game.game), `${game.executed} events`];
    if (undone) words.push(`${undone} undone`);
    if (lines.several) words.push(`${lines.tips.size} lines`);
    if (game.notes) words.push(`${game.notes.length} with notes`);
    if (game.waiting) words.push(`${game.waiting} waiting`);
    const time = new Date(1000 * Number(game.saved_at));
    if (!Number.isNaN(time.getTime())) words.push('saved ' + time.toISOString().slice(0, 16).replace('T', ' ') + ' UTC');
    byId('title').textContent = game.title ? visible(game.title) : visible(game.game);
    byId('about').textContent = words.join(' \u00b7 ');
  }

  function namePlayers() {
    const players = [...(game.players || []).keys()];
    byId('players').append(...players.map((player) =>
      make('li', '', null, badge(player), ' ', make('span', 'data', playerName(player)))));
  }

  function explainSigns() {
    for (const name in SIGNS) byId('signs').append(make('dt', '', null, sign(name)), make('dd', '', SIGNS[name][0]));
  }

  // --- Light and dark ------------------------------------------------------------------------------------------------

  const THEMES = {auto: ['\u25d0', 'as the system'], light: ['\u25cb', 'light'], dark: ['\u25cf', 'dark']};

  function setTheme(theme) {
    const [picture, words] = THEMES[theme];
    document.documentElement.dataset.theme = theme;
    byId('theme').textContent = picture;
    byId('theme').title = `Light or dark: ${words} (T)`;
    byId('theme').setAttribute('aria-label', `Light or dark: ${words}`);
    try {
      localStorage.setItem('kifu-theme', theme);
    } catch (error) {
      // It is forgotten, then.
    }
    strip.update();
    treePart.update();
  }

  function savedTheme() {
    try {
      const saved = localStorage.getItem('kifu-theme');
      return Object.hasOwn(THEMES, saved) ? saved : 'auto';
    } catch (error) {
      return 'auto';
    }
  }

  function nextTheme() {
    const names = Object.keys(THEMES);
    setTheme(names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length]);
  }

  // --- Keys ----------------------------------------------------------------------------------------------------------

  const keys = {
    ArrowLeft: (shift) => (shift ? view.moveBefore() : view.go(view.at - 1)),
    ArrowRight: (shift) => (shift ? view.moveNext() : view.go(view.at + 1)),
    ArrowUp: (shift) => (shift ? view.moveBefore() : view.go(view.at - 1)),
    ArrowDown: (shift) => (shift ? view.moveNext() : view.go(view.at + 1)),
    PageUp: () => view.go(view.at - list.page()),
    PageDown: () => view.go(view.at + list.page()),
    Home: () => view.go(0),
    End: () => view.go(count - 1),
    c: () => causeOf(view.at) >= 0 && view.go(causeOf(view.at)),
    v: (shift) => view.sibling(shift ? -1 : 1),
    b: () => view.fork(),
    m: () => view.main(),
    n: (shift) => search.jump(shift ? -1 : 1),
    t: nextTheme,
    '/': () => search.focus(),
    '?': () => byId('help').showModal(),
  };

  document.addEventListener('keydown', (key) => {
    const name = key.key.length === 1 ? key.key.toLowerCase() : key.key;
    const isTyping = key.target.tagName === 'INPUT' || byId('help').open;
    if (isTyping || key.ctrlKey || key.metaKey || key.altKey || !Object.hasOwn(keys, name) || !count) return;
    key.preventDefault();
    keys[name](key.shiftKey);
  });

  // --- Buttons, touch ------------------------------------------------------------------------------------------------

  const buttons = {
    first: keys.Home, last: keys.End, before: () => view.go(view.at - 1), next: () => view.go(view.at + 1),
    'move-before': () => view.moveBefore(), 'move-next': () => view.moveNext(),
    theme: nextTheme, 'help-button': keys['?'],
  };
  for (const id in buttons) byId(id).addEventListener('click', buttons[id]);

  function showTab(tab) {
    body.dataset.tab = tab;
    for (const button of byId('tabs').children) button.setAttribute('aria-selected', button.dataset.tab === tab);
    if (tab === 'events') list.reveal(view.at);
    if (tab === 'event') board.fit();
  }
  byId('tabs').addEventListener('click', (click) => click.target.dataset.tab && showTab(click.target.dataset.tab));

  // A swipe to the side; one that begins in something that scrolls to the side scrolls it.
  function swipe(box) {
    let from = null;
    box.addEventListener('touchstart', (touch) => {
      const one = touch.touches.length === 1 && !touch.target.closest('.scrolling');
      from = one ? touch.touches[0] : null;
    }, {passive: true});
    const way = (touch) => {
      const x = touch.changedTouches[0].clientX - from.clientX, y = touch.changedTouches[0].clientY - from.clientY;
      return Math.abs(x) > 2 * Math.abs(y) ? x : 0;
    };
    box.addEventListener('touchmove', (touch) => {
      // The browser is to do nothing else with it.
      if (from && touch.cancelable && Math.abs(way(touch)) > 10) touch.preventDefault();
    }, {passive: false});
    box.addEventListener('touchend', (touch) => {
      if (from && Math.abs(way(touch)) > 50) view.go(view.at + (way(touch) < 0 ? 1 : -1));
      from = null;
    }, {passive: true});
  }
  swipe(byId('board'));
  swipe(byId('event'));
  swipe(byId('state'));

  // --- Begin ---------------------------------------------------------------------------------------------------------

  // What the address says, #42 or #42@3 of line 3; else where the set-up ends: before the first move.
  function addressed(hash) {
    const number = /^#(\d+)(?:@(\d+))?$/.exec(hash);
    if (!number) return [lines.current, Math.max(0, setUp - 1)];
    return [number[2] ? Number(number[2]) : lines.current, Number(number[1])];
  }

  document.title = game.title ? visible(game.title) : visible(game.game);
  describe();
  namePlayers();
  explainSigns();
  setTheme(savedTheme());
  if (board.is) byId('tab-event').textContent = 'Board';
  showTab(board.is ? 'event' : 'events');
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    strip.update();
    treePart.update();
  });
  window.addEventListener('hashchange', (change) => view.goTo(...addressed(new URL(change.newURL).hash)));
  list.measure();
  if (!count) {
    byId('event').append(make('p', 'empty', 'This game has no events.'));
    return;
  }
  const [line, event] = addressed(location.hash);
  view.at = Math.min(event, count - 1);
  if (lines.tips.has(line) && line !== lines.current) view.goTo(line, event);
  view.show();
  byId('list').focus({preventScroll: true});
})();
