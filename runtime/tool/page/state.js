// The state after an event, as a tree of fields, with what the event changed.

const statePart = (function makeState() {
  const box = document.getElementById('state');
  const MOST = 400; // Elements that are shown at first.
  const open = new Map(); // By path: whether somebody opened or closed it.
  let values = [], changes = []; // Of the event that is shown.
  let event = 0;

  // --- What changed --------------------------------------------------------------------------------------------------

  // The number of the first change at `place` or behind it.
  function changeAt(place) {
    let low = 0, high = changes.length / 3;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[3 * middle] < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function changesIn(place, size) {
    return changeAt(place + size) - changeAt(place);
  }

  function isNew(place) {
    return changes.length > 0 && changesIn(place, 1) > 0;
  }

  function valueAt(place, name) {
    const shown = make('span', 'value', valueText(values[place], 200, name));
    const change = changeAt(place);
    if (changes[3 * change] !== place) return shown;
    shown.classList.add('new');
    return make('span', 'changed', null, make('del', 'value', valueText(changes[3 * change + 1], 200, name)),
      make('span', 'arrow', ' \u2192 '), shown);
  }

  function listOfChanges() {
    const all = changes.length / 3;
    const lines = (from, to) => Array.from({length: Math.max(0, Math.min(all, to) - from)}, (_, i) => {
      const place = changes[3 * (from + i)];
      return make('li', '', null, make('span', 'name', pathOf(place)), ' ', valueAt(place, pathOf(place)));
    });
    const list = make('ul', 'changes', null, ...lines(0, 12));
    if (all > 12) list.append(make('li', '', null, button(`${all - 12} more`, (self) =>
      self.parentElement.replaceWith(...lines(12, 12 + 1000)))));
    return list;
  }

  // --- The tree ------------------------------------------------------------------------------------------------------

  function button(text, act) {
    const made = make('button', 'link', text);
    made.type = 'button';
    made.addEventListener('click', () => act(made));
    return made;
  }

  // A line that can be opened. `fill` makes what is in it.
  function branch(path, name, hint, size, place, opened, fill) {
    const isOpen = open.has(path) ? open.get(path) : opened;
    const toggle = make('button', 'toggle', null, make('span', 'name', visible(name)), ' ', make('span', 'hint', hint));
    const changed = changesIn(place, size);
    const line = make('li', 'branch', null, toggle);
    toggle.type = 'button';
    toggle.setAttribute('aria-expanded', isOpen);
    if (changed) toggle.append(' ', make('span', 'count', changed + ' changed'));
    if (isOpen) line.append(fill());
    toggle.addEventListener('click', () => {
      open.set(path, !isOpen);
      const made = branch(path, name, hint, size, place, opened, fill);
      line.replaceWith(made);
      made.firstElementChild.focus();
    });
    return line;
  }

  function structList(struct, place, path) {
    return make('ul', 'object', null, ...struct.members.map((member) => memberLine(member, place + member.place, path)));
  }

  function memberLine(member, place, path) {
    const here = path + '.' + member.name;
    const struct = member.inner < 0 ? null : states.structs[member.inner];
    const type = visible(member.type);
    if (!member.length && !struct) {
      const line = make('li', '', null, make('span', 'name', visible(member.name)), ' ', valueAt(place, member.name));
      line.title = type;
      return line;
    }
    const hint = member.length ? `${type} \u00d7 ${member.length}` : type;
    // What every game has may stay closed; a board may be larger than other arrays.
    const isEnum = !struct && member.type.includes('.');
    const opened = member.size <= (isEnum ? 400 : 128) && !member.type.startsWith('kifu.');
    const told = member.pool ? usedHint(member, place, hint) : hint;
    return branch(here, member.name, told, member.size, place, opened, () =>
      !member.length ? structList(struct, place, here)
        : struct ? elementList(member, struct, place, here) : makeCells(box, values, member, place, here, isNew, valueAt));
  }

  // --- Arrays --------------------------------------------------------------------------------------------------------

  // The first value of an element of a pool is odd while somebody lives there.
  function isUsed(member, at) {
    if (member.pool) return values[at] % 2 === 1;
    if (!states.beginning) return true;
    for (let i = 0; i < member.each; i++) {
      if (values[at + i] !== states.beginning[at + i]) return true;
    }
    return false;
  }

  function usedHint(member, place, hint) {
    let used = 0;
    for (let i = 0; i < member.length; i++) used += isUsed(member, place + i * member.each);
    return `${hint}, ${used} used`;
  }

  // Of elements that nobody uses only their numbers are shown.
  function elementList(member, struct, place, path) {
    const lines = [];
    const what = member.pool ? ' free' : ' all zero';
    let unused = -1;
    const close = (end) => {
      if (unused >= 0)
        lines.push(make('li', 'empty', (unused < end - 1 ? unused + ' \u2026 ' : '') + (end - 1) + what));
      unused = -1;
    };
    for (let i = 0; i < member.length; i++) {
      const at = place + i * member.each;
      if (!isUsed(member, at) && !changesIn(at, member.each)) {
        if (unused < 0) unused = i;
        continue;
      }
      close(i);
      if (lines.length >= MOST) {
        lines.push(make('li', 'empty', `${i} \u2026 ${member.length - 1} are not shown`));
        return make('ul', 'object', null, ...lines);
      }
      const here = `${path}[${i}]`, opened = member.length <= 4 && member.each <= 8;
      lines.push(branch(here, `[${i}]`, summary(struct, at), member.each, at, opened, () => structList(struct, at, here)));
    }
    close(member.length);
    return make('ul', 'object', null, ...lines);
  }

  // The first values of a struct, for a line that is closed.
  function summary(struct, place) {
    const words = [];
    for (const member of struct.members) {
      if (words.length === 4) break;
      if (member.inner < 0 && !member.length)
        words.push(`${visible(member.name)} ${valueText(values[place + member.place], 20, member.name)}`);
    }
    return words.join(', ');
  }

  // --- All of it -----------------------------------------------------------------------------------------------------

  // Why there is no state here.
  function missing() {
    const about = states.about;
    if (about.capped)
      return states.structs
        ? `The states end after event ${about.shown - 1}: all of them would be more than ${sizeText(about.most)}. ` +
          '`kifu html --states SIZE` makes a page with more.'
        : `No state is here: one alone is more than ${sizeText(about.most)}. ` +
          '`kifu html --states SIZE` makes a page with more.';
    if (isUndone(event)) return 'This event was undone, so it led to no state.';
    if (about.why) return 'No state is here: ' + visible(about.why) + '.';
    if (about.most === '0') return 'The page was made without states: --states 0.';
    const saved = states.structs ? 'Only the state after the last event is here, as the save has it. ' : '';
    return saved + 'A page with the state after each event is made by the program of the game, which knows the ' +
      'rules: `GAME tool html`.';
  }

  function sizeText(bytes) {
    const size = Number(bytes);
    return size >= 1 << 20 ? Math.round(size / (1 << 20)) + ' MiB' : Math.round(size / 1024) + ' KiB';
  }

  function copy(self) {
    const text = JSON.stringify(stateObject(event + 1), null, 2);
    const say = (words) => (self.textContent = words);
    if (!navigator.clipboard) say('Not possible here');
    else navigator.clipboard.writeText(text).then(() => say('Copied'), () => say('Not possible here'));
  }

  function parts() {
    const struct = states.structs[states.root];
    const made = [];
    const all = changes.length / 3;
    if (event >= states.first) {
      const sums = ['This event changed nothing.', 'One value changed.'];
      made.push(make('p', 'sum', sums[all] || `${all} values changed.`));
      if (all) made.push(listOfChanges());
    }
    made.push(make('h3', '', 'All fields'), structList(struct, 0, ''));
    return made;
  }

  return {
    show(wanted) {
      event = wanted;
      const isHere = states.has(event + 1);
      const title = make('h2', '', 'State after event ' + event);
      changes = isHere ? states.changesOf(event) : [];
      values = isHere ? states.after(event + 1) : [];
      if (isHere) title.append(button('Copy as JSON', copy));
      const scroll = box.scrollTop;
      box.replaceChildren(title, ...(isHere ? parts() : [make('p', 'empty', null, ...withCode(missing()))]));
      box.scrollTop = scroll;
    },
  };
})();
