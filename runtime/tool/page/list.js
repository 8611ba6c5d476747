// The list of events. Only the rows that are seen are elements.

const list = (function makeList() {
  const box = document.getElementById('list');
  const rows = document.getElementById('rows');
  const MOST_HEIGHT = 8000000; // More pixels than that some browsers do not scroll.
  const narrow = window.matchMedia('(max-width: 719px)');
  const shown = new Map();
  let matches = null;
  let height = 30; // Of a row.
  let asked = false;
  // The set-up is one row, that of its last event, until somebody opens it or goes there.
  let folded = setUp > 2 ? setUp - 1 : 0; // So many rows are not there.

  const rowCount = () => count - folded;

  function total() {
    return Math.min(MOST_HEIGHT, rowCount() * height);
  }

  // Rows scroll faster than pixels where there are too many.
  function firstRow() {
    const room = total() - box.clientHeight;
    return room <= 0 ? 0 : box.scrollTop / room * Math.max(0, rowCount() - box.clientHeight / height);
  }

  function makeRow(event) {
    const [space, name] = typeWords(event);
    const row = make('div', 'row');
    const type = make('span', 'type', null, make('span', 'space', space === game.game + '.' ? '' : space), name);
    const player = events[event][PLAYER];
    row.id = 'event-' + event;
    row.dataset.event = event;
    row.setAttribute('role', 'option');
    row.setAttribute('aria-posinset', event + 1);
    row.setAttribute('aria-setsize', count);
    row.append(make('span', 'number', event), make('span', 'chain'));
    row.append(player < 0 ? make('span', 'badge none', '\u00b7') : badge(player));
    type.style.paddingLeft = Math.min(depths[event], 6) * 12 + 'px';
    const texts = lines.notedAt(event).map((each) => notesText(lines.notesAt(each))).join(' \u00b7 ');
    const fields = make('span', 'fields');
    const words = fieldsText(event, 160);
    if (words) fields.append(make('span', 'said', words));
    if (texts) fields.append(make('span', 'told-here', cut(texts, 160)));
    if (setUp > 2 && event === setUp - 1) fields.prepend(folder());
    row.append(type, fields);
    row.append(make('span', 'signs', null, ...signsOf(event).map(sign)));
    row.classList.toggle('begins', beginsChain(event));
    row.classList.toggle('ends', event + 1 === count || beginsChain(event + 1));
    row.classList.toggle('caused', causeOf(event) >= 0);
    row.classList.toggle('undone', isUndone(event));
    return row;
  }

  function folder() {
    const button = make('button', 'folder', folded ? `\u25b8 set-up, ${setUp} events` : '\u25be set-up');
    button.type = 'button';
    button.addEventListener('click', (click) => {
      click.stopPropagation();
      fold(!folded);
      if (folded && view.at < setUp - 1) view.go(setUp - 1);
    });
    return button;
  }

  function fold(wanted) {
    folded = wanted ? setUp - 1 : 0;
    measure(true);
  }

  function update() {
    asked = false;
    const first = firstRow() + folded, from = Math.max(folded, Math.floor(first) - 4);
    const to = Math.min(count, Math.ceil(first + box.clientHeight / height) + 4);
    for (const [event, row] of shown) {
      if (event >= from && event < to) continue;
      row.remove();
      shown.delete(event);
    }
    for (let event = from; event < to; event++) {
      let row = shown.get(event);
      if (!row) {
        row = makeRow(event);
        shown.set(event, row);
        rows.append(row);
      }
      row.style.top = Math.round(box.scrollTop + (event - first) * height) + 'px';
      row.classList.toggle('match', !!(matches && matches[event]));
      row.classList.toggle('selected', event === view.at);
      row.setAttribute('aria-selected', event === view.at);
    }
    box.setAttribute('aria-activedescendant', shown.has(view.at) ? 'event-' + view.at : '');
  }

  function ask() {
    if (!asked) requestAnimationFrame(update);
    asked = true;
  }

  // `anew`: there are other events.
  function measure(anew) {
    for (const row of anew === true ? shown.values() : []) row.remove();
    if (anew === true) shown.clear();
    height = narrow.matches ? 52 : 30;
    rows.style.height = total() + 'px';
    ask();
  }

  // Scrolls just so far that the event is seen.
  function reveal(event) {
    if (event < folded) fold(false);
    event -= folded;
    const visibleRows = box.clientHeight / height, first = firstRow();
    let wanted = first;
    if (event < first + 1) wanted = event - 1;
    else if (event > first + visibleRows - 2) wanted = event - visibleRows + 2;
    if (Math.abs(wanted - first) > visibleRows) wanted = event - visibleRows / 2;
    const most = rowCount() - visibleRows;
    if (wanted !== first && most > 0)
      box.scrollTop = Math.max(0, Math.min(1, wanted / most)) * (total() - box.clientHeight);
    ask();
  }

  box.addEventListener('scroll', ask, {passive: true});
  box.addEventListener('click', (click) => {
    const row = click.target.closest('.row');
    if (row) view.go(Number(row.dataset.event));
  });
  narrow.addEventListener('change', measure);
  new ResizeObserver(ask).observe(box);

  return {
    measure, reveal,
    page: () => Math.max(1, Math.floor(box.clientHeight / height) - 1),
    mark(found) {
      matches = found;
      ask();
    },
  };
})();
