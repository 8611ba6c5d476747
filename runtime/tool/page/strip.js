// The strip: the whole game from left to right, a lane for each player and for each kind of sign.

const strip = (function makeStrip() {
  const track = document.getElementById('track');
  const canvas = document.getElementById('canvas');
  const cursor = document.getElementById('cursor');
  const hint = document.getElementById('hint');
  const LANE = 13;
  let lanes = [];
  let matches = null; // Of the search: a number for each event.
  let width = 0;

  function addLane(name, kind, has, player) {
    for (let i = 0; i < count; i++) {
      if (has(i)) {
        lanes.push({name, kind, has, player});
        return;
      }
    }
  }

  function findLanes() {
    lanes = [];
    for (let player = 0; player < 16; player++)
      addLane(playerName(player), 'player-' + player % 8, (event) => events[event][PLAYER] === player, player);
    addLane('rules', 'rules', (event) => events[event][PLAYER] < 0);
    addLane('no undo', 'barrier', isBarrier);
    addLane('random', 'random', (event) => events[event][FLAGS] & RANDOM);
    addLane('reveals', 'reveals', (event) => events[event][FLAGS] & REVEALS);
    if (longThought < Infinity) lanes.push({name: 'thought', kind: 'thought', has: (event) => thoughts[event] > 0});
    addLane('notes', 'note', (event) => lines.notesAt(event));
  }
  const found = {name: 'found', kind: 'found', has: (event) => matches[event]};

  function shownLanes() {
    return matches ? lanes.concat(found) : lanes;
  }

  function nameLanes() {
    const names = shownLanes().map((lane) => {
      const name = make('span', 'lane', lane.name);
      name.dataset.kind = lane.kind;
      return name;
    });
    document.getElementById('lanes').replaceChildren(...names);
    track.style.height = canvas.style.height = names.length * LANE + 'px';
  }

  // Thoughts are as high as they are long; the longest of a column counts.
  function drawThoughts(context, top, scale) {
    let most = 0;
    for (let i = 0; i < count; i++) most = Math.max(most, thoughts[i]);
    for (let i = 0; i < count; i++) {
      if (thoughts[i] <= 0) continue;
      const height = Math.max(1, Math.sqrt(thoughts[i] / most) * (LANE - 2));
      context.globalAlpha = isLongThought(i) ? 1 : 0.45;
      context.fillRect(i * scale, top + LANE - 1 - height, Math.max(1, scale - 1), height);
    }
    context.globalAlpha = 1;
  }

  // Of a column that stands for many events, its height says how many of them are in the lane.
  function drawDense(context, lane, top, scale) {
    const found = new Uint32Array(Math.ceil(width) + 1);
    let most = 1;
    for (let i = 0; i < count; i++) {
      if (lane.has(i)) most = Math.max(most, ++found[Math.floor(i * scale)]);
    }
    found.forEach((here, x) => {
      const height = Math.max(2, here / most * (LANE - 2));
      if (here) context.fillRect(x, top + LANE - 1 - height, 1, height);
    });
  }

  function drawLane(context, lane, top, scale) {
    if (scale < 0.5) {
      drawDense(context, lane, top, scale);
      return;
    }
    for (let i = 0; i < count; i++) {
      if (!lane.has(i)) continue;
      context.globalAlpha = isUndone(i) ? 0.35 : 1;
      context.fillRect(i * scale, top + 2, scale > 3 ? scale - 1 : Math.max(1, scale), LANE - 4);
    }
    context.globalAlpha = 1;
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const all = shownLanes();
    width = track.clientWidth;
    if (!width || !count) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(all.length * LANE * ratio);
    canvas.style.width = width + 'px';
    const context = canvas.getContext('2d');
    const colours = getComputedStyle(document.documentElement);
    context.scale(ratio, ratio);
    all.forEach((lane, row) => {
      const top = row * LANE, scale = width / count;
      context.fillStyle = colours.getPropertyValue('--lane');
      context.fillRect(0, top + LANE - 1, width, 1);
      const own = lane.player === undefined ? null : playerColour(lane.player, parseColour(colours.getPropertyValue('--raised')));
      context.fillStyle = own || colours.getPropertyValue('--' + lane.kind);
      if (lane.kind === 'thought') drawThoughts(context, top, scale);
      else drawLane(context, lane, top, scale);
    });
  }

  function update() {
    nameLanes();
    draw();
    place(view.at);
  }

  function place(event) {
    if (!count) return;
    const scale = width / Math.max(1, count);
    cursor.style.left = event * scale + 'px';
    cursor.style.width = Math.max(2, scale) + 'px';
    track.setAttribute('aria-valuenow', event);
    track.setAttribute('aria-valuetext', 'event ' + event + ', ' + typeWords(event)[1]);
  }

  function eventAt(x) {
    const inside = x - track.getBoundingClientRect().left;
    return Math.max(0, Math.min(count - 1, Math.floor(inside / width * count)));
  }

  function showHint(x) {
    const event = eventAt(x), [, name] = typeWords(event);
    const player = events[event][PLAYER];
    hint.textContent = event + ' ' + name + (player < 0 ? '' : ', ' + playerName(player)) +
      (thoughts[event] > 0 ? ', ' + secondsText(thoughts[event]) : '');
    hint.hidden = false;
    const left = x - track.getBoundingClientRect().left - hint.offsetWidth / 2;
    hint.style.left = Math.max(0, Math.min(width - hint.offsetWidth, left)) + 'px';
  }

  track.addEventListener('pointerdown', (pointer) => {
    track.setPointerCapture(pointer.pointerId);
    view.go(eventAt(pointer.clientX));
  });
  track.addEventListener('pointermove', (pointer) => {
    if (track.hasPointerCapture(pointer.pointerId)) view.go(eventAt(pointer.clientX));
    showHint(pointer.clientX);
  });
  track.addEventListener('pointerleave', () => (hint.hidden = true));
  track.addEventListener('pointerup', (pointer) => {
    if (pointer.pointerType !== 'mouse') hint.hidden = true;
  });
  // Another line is shown.
  function change() {
    findLanes();
    matches = null;
    track.setAttribute('aria-valuemax', Math.max(0, count - 1));
    update();
  }

  findLanes();
  track.setAttribute('aria-valuemin', 0);
  track.setAttribute('aria-valuemax', Math.max(0, count - 1));
  new ResizeObserver(() => {
    draw();
    place(view.at);
  }).observe(track);

  return {
    place, update, change,
    mark(found) {
      matches = found;
      update();
    },
  };
})();
