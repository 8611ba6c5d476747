// How the game looks where the reader is, as its own function drew it. The room for it is as large at every place.

const board = (function makeBoard() {
  const box = document.getElementById('board');
  const track = readTrack('drawings-data');
  const {about} = track;
  if (!track.head) return {is: false, show: () => {}, leave: () => {}, fit: () => {}};
  document.body.classList.add('has-board');
  box.hidden = false;

  const texts = about.lines.map((line) => (typeof line === 'string' ? line : '?'));
  const columns = texts.reduce((most, line) => (line.startsWith('<') ? most : Math.max(most, [...line].length)), 8);
  const inner = make('div', 'drawing');
  const said = make('p', 'said');
  box.replaceChildren(inner, said);
  let rows = 1; // The most that a text had so far.
  let isText = false;

  // How wide a character is, in sizes of the font.
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = '100px ' + getComputedStyle(document.documentElement).getPropertyValue('--mono');
  const characterWidth = Math.max(0.5, pen.measureText('0').width / 100);

  // The last place up to this one that was drawn: after so many events.
  function drawnAt(event) {
    let at = event + 1;
    while (at > 0 && !track.has(at)) at--;
    while (at > 0 && track.isSkipped(at - 1)) at--;
    return at;
  }

  function words(event, at) {
    if (at === event + 1) return '';
    const drawn = at ? `This is after event ${at - 1}. ` : 'This is the beginning. ';
    if (isUndone(event)) return drawn + 'What was undone is not drawn.';
    if (track.has(event + 1))
      return drawn + `Only the ends of turns are drawn: all places would be more than ${sizeWords(about.most)}.`;
    return drawn + (about.capped ? `More would be more than ${sizeWords(about.most)}. ` +
      '`--drawings SIZE` makes a page with more.' : 'No further place could be drawn.');
  }

  function sizeWords(bytes) {
    const size = Number(bytes);
    return size >= 1 << 20 ? Math.round(size / (1 << 20)) + ' MiB' : Math.round(size / 1024) + ' KiB';
  }

  function textBoard(drawn) {
    rows = Math.max(rows, drawn.length);
    return make('pre', 'text-board', null, ...drawn.map((line) => make('span', '', visible(line) + '\n')));
  }

  function fit() {
    if (!isText || !box.clientWidth) return;
    const wide = inner.clientWidth / (columns * characterWidth), high = inner.clientHeight / (rows * 1.25);
    inner.style.fontSize = Math.max(5, Math.min(wide, high, 22)) + 'px';
  }

  new ResizeObserver(fit).observe(box);
  return {
    is: true,
    leave: track.leave,
    fit,
    show(event) {
      const at = drawnAt(event);
      const drawn = track.after(at).filter((number) => number >= 0).map((number) => texts[number]);
      const made = drawn.length && drawn[0].startsWith('<svg') ? picture(drawn.join('\n')) : null;
      isText = !made;
      if (made) {
        made.setAttribute('role', 'img');
        made.setAttribute('aria-label', `The game after event ${event}`);
        made.removeAttribute('width');
        made.removeAttribute('height');
      }
      inner.replaceChildren(made || textBoard(drawn));
      said.replaceChildren(...withCode(words(event, at)));
      box.classList.toggle('elsewhere', at !== event + 1);
      fit();
    },
  };
})();
