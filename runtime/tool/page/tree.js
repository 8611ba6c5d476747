// The tree: events from left to right, a row for each line. Only what is seen is drawn.

const treePart = (function makeTree() {
  const part = document.getElementById('tree');
  const box = document.getElementById('tree-box');
  const room = document.getElementById('tree-room');
  const canvas = document.getElementById('tree-canvas');
  const hint = document.getElementById('tree-hint');
  const MARGIN = 8, NUMBERS = 26; // Of the right margin, in which numbers stand.
  if (!lines.several) return {show: () => {}, update: () => {}};
  part.hidden = false;

  const lanes = []; // The stretches of each row of the game's tree, from left to right.
  for (const stretch of lines.tree) (lanes[stretch.row] = lanes[stretch.row] || []).push(stretch);
  const placed = pack();
  const rows = []; // The lanes that share a row of the picture, from left to right.
  lanes.forEach((lane, row) => (rows[placed[row]] = rows[placed[row]] || []).unshift(row));
  const ROW = window.matchMedia('(pointer: coarse)').matches ? 20 : rows.length > 24 ? 10 : 14; // A finger is broad.

  // Moves lanes up beside others as far as nothing crosses. Of what hangs below a lane, its rows are known by their first
  // and last column. What branches off later was placed before.
  function pack() {
    const below = lanes.map((lane) => ({
      left: [lane[0].from - 1], right: [Math.max(lane[0].from, lane[lane.length - 1].end - 1)], children: [], offset: 0,
    }));
    for (let row = 1; row < lanes.length; row++) below[lines.tree[lanes[row][0].parent].row].children.push(row);
    for (let row = lanes.length - 1; row >= 0; row--) {
      const mine = below[row];
      let before = -1, offset = 1;
      for (const child of mine.children) {
        const its = below[child], start = its.left[0];
        if (start !== before) offset = 1;
        while (its.right.some((right, i) => offset + i < mine.left.length && right + 1 >= mine.left[offset + i])) offset++;
        for (let i = 1; i < offset; i++) mine.left[i] = Math.min(mine.left[i], start);
        its.left.forEach((left, i) => {
          mine.right[offset + i] = Math.max(mine.right[offset + i] === undefined ? -1 : mine.right[offset + i], its.right[i]);
          mine.left[offset + i] = left;
        });
        its.offset = offset;
        before = start;
        its.left = its.right = null;
      }
    }
    const found = [0];
    for (let row = 1; row < lanes.length; row++) found[row] = found[lines.tree[lanes[row][0].parent].row] + below[row].offset;
    return found;
  }

  const longest = lines.tree.reduce((most, stretch) => Math.max(most, stretch.end), 1);
  let asked = false, width = 0, scale = 1;

  const x = (event) => MARGIN + (event + 0.5) * scale;
  const y = (row) => row * ROW + ROW / 2;
  // Where a lane begins: at the event behind which it leaves another one.
  const start = (lane) => lanes[lane][0].from - 1;
  const above = (lane) => placed[lines.tree[lanes[lane][0].parent].row];

  const stretchesIn = (row) => rows[row].flatMap((lane) => lanes[lane]);

  function stroke(context, colour, thick, draw) {
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.beginPath();
    draw();
    context.stroke();
  }

  // From the row above down, and over to the first event.
  function drawFork(context, lane, from, to, top) {
    const left = x(start(lane)), bend = Math.min(ROW / 2, scale);
    const end = y(placed[lane]), high = Math.max(y(above(lane)), y(from) - ROW), low = Math.min(end, y(to) + ROW);
    context.moveTo(left, high - top);
    context.lineTo(left, low - top - (low === end ? bend : 0));
    if (low === end) context.lineTo(left + bend, low - top);
  }

  function drawStretch(context, stretch, top) {
    const first = stretch.row && stretch === lanes[stretch.row][0];
    const left = x(Math.max(0, stretch.from - 1)) + (first ? Math.min(ROW / 2, scale) : 0);
    const down = y(placed[stretch.row]) - top;
    context.moveTo(left, down);
    context.lineTo(Math.max(x(Math.max(stretch.from, stretch.end - 1)), left + 2), down);
  }

  function dot(context, left, at, size) {
    context.beginPath();
    context.arc(left, at, size, 0, 7);
    context.fill();
  }

  function drawDots(context, stretch, top, colours) {
    for (let event = stretch.from; event < stretch.end; event++) {
      const texts = lines.notesOf(stretch.line, event);
      if (scale >= 6) {
        const all = stretch.current ? game.events[event] : game.others[stretch.place][event - stretch.from];
        const player = all[PLAYER];
        context.fillStyle = playerColour(player, parseColour(colours('--raised'))) ||
          colours(player < 0 ? '--rules' : '--player-' + player % 8);
        dot(context, x(event), y(placed[stretch.row]) - top, Math.min(4, scale / 3));
      }
      if (!texts) continue;
      context.fillStyle = colours('--note');
      context.fillRect(x(event) - 2, y(placed[stretch.row]) - top - 6, 4, 4);
    }
  }

  function draw() {
    asked = false;
    const ratio = window.devicePixelRatio || 1;
    const style = getComputedStyle(document.documentElement), colours = (name) => style.getPropertyValue(name);
    width = box.clientWidth;
    if (!width) return;
    scale = (width - 2 * MARGIN - NUMBERS) / longest;
    const height = Math.min(box.clientHeight, rows.length * ROW), top = box.scrollTop;
    const from = Math.max(0, Math.floor(top / ROW)), to = Math.min(rows.length - 1, Math.floor((top + height) / ROW));
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
    canvas.style.top = top + 'px';
    const context = canvas.getContext('2d');
    const shown = new Set(lines.wayTo(lines.shown));
    context.scale(ratio, ratio);
    const forks = (isShown) => {
      for (let lane = 1; lane < lanes.length; lane++) {
        if (placed[lane] >= from && above(lane) <= to && shown.has(lanes[lane][0]) === isShown)
          drawFork(context, lane, from, to, top);
      }
    };
    const stretches = (isShown) => {
      for (let row = from; row <= to; row++) {
        for (const stretch of stretchesIn(row)) {
          if (shown.has(stretch) === isShown) drawStretch(context, stretch, top);
        }
      }
    };
    stroke(context, colours('--rules'), 1, () => forks(false));
    stroke(context, colours('--rules'), 1.5, () => stretches(false));
    stroke(context, colours('--accent'), 2, () => forks(true));
    stroke(context, colours('--accent'), 3, () => stretches(true));
    for (let row = from; row <= to; row++) stretchesIn(row).forEach((stretch) => drawDots(context, stretch, top, colours));
    drawNumbers(context, from, to, top, shown, colours);
    drawPlace(context, top, colours);
  }

  // The number of a line stands behind its end, where nothing else does.
  function drawNumbers(context, from, to, top, shown, colours) {
    context.font = (ROW < 14 ? 9 : 10.5) + 'px ' + getComputedStyle(document.body).fontFamily;
    context.textBaseline = 'middle';
    for (let row = from; row <= to; row++) {
      const all = stretchesIn(row);
      for (const tip of lines.tips.values()) {
        if (placed[tip.row] !== row || tip.parts) continue;
        const left = x(Math.max(tip.from, tip.end - 1)) + 7, words = String(tip.line);
        const next = all.filter((each) => each.from >= tip.end && each !== tip).map((each) => x(Math.max(0, each.from - 1)));
        if (Math.min(width, ...next) < left + context.measureText(words).width + 2) continue;
        context.fillStyle = colours(shown.has(tip) ? '--accent' : '--soft');
        context.fillText(words, left, y(row) - top + 0.5);
      }
    }
  }

  // Where the game is, and where the reader is.
  function drawPlace(context, top, colours) {
    const now = lines.tree.find((stretch) => stretch.current && stretch.end >= game.executed);
    if (now && game.executed) {
      stroke(context, colours('--text'), 1.5, () =>
        context.rect(x(game.executed - 1) - 4, y(placed[now.row]) - top - 5, 8, 10));
    }
    const here = lines.stretchAt(view.at);
    context.fillStyle = colours('--text');
    dot(context, x(view.at), y(placed[here.row]) - top, 4.5);
    context.fillStyle = colours('--paper');
    dot(context, x(view.at), y(placed[here.row]) - top, 2);
  }

  function ask() {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
  }

  // The stretch and the event that are nearest to a place of the pointer.
  function placeAt(pointer) {
    const edge = box.getBoundingClientRect();
    const row = Math.max(0, Math.min(rows.length - 1, Math.floor((pointer.clientY - edge.top + box.scrollTop) / ROW)));
    const wanted = Math.floor((pointer.clientX - edge.left - MARGIN) / scale);
    const full = stretchesIn(row).filter((stretch) => stretch.end > stretch.from);
    const stretch = full.find((each) => each.end > wanted) || full[full.length - 1];
    return stretch ? [stretch, Math.max(stretch.from, Math.min(stretch.end - 1, wanted))] : null;
  }

  function showHint(pointer) {
    const found = placeAt(pointer), edge = box.getBoundingClientRect();
    if (!found) return;
    const [stretch, event] = found;
    const all = stretch.current ? game.events[event] : game.others[stretch.place][event - stretch.from];
    const name = visible(game.types[all[TYPE]]).split('.').pop();
    hint.textContent = `line ${stretch.line} \u00b7 ${event} ${name} ${notesText(lines.notesOf(stretch.line, event))}`;
    hint.hidden = false;
    const left = pointer.clientX - edge.left + 12, down = pointer.clientY - edge.top + box.scrollTop + 12;
    hint.style.left = Math.max(0, Math.min(width - hint.offsetWidth, left)) + 'px';
    hint.style.top = Math.min(down, box.scrollTop + box.clientHeight - 24) + 'px';
  }

  // To the row above or below, as near as it has something to the event from which the reader set out.
  let walk = {at: -1, from: -1};
  function step(way) {
    const from = walk.at === view.at ? walk.from : view.at;
    const far = (stretch) => Math.max(0, stretch.from - from, from - stretch.end + 1);
    for (let row = placed[lines.stretchAt(view.at).row] + way; row >= 0 && row < rows.length; row += way) {
      const full = stretchesIn(row).filter((stretch) => stretch.end > stretch.from);
      if (!full.length) continue;
      const nearest = full.reduce((best, each) => (far(each) < far(best) ? each : best));
      view.goToStretch(nearest, Math.max(nearest.from, Math.min(nearest.end - 1, from)));
      walk = {at: view.at, from};
      return;
    }
  }

  box.addEventListener('keydown', (key) => {
    const way = {ArrowUp: -1, ArrowDown: 1}[key.key];
    if (!way || key.shiftKey || key.ctrlKey || key.metaKey || key.altKey) return;
    key.preventDefault();
    key.stopPropagation();
    step(way);
  });
  box.addEventListener('click', (click) => {
    const found = placeAt(click);
    if (found) view.goToStretch(...found);
  });
  box.addEventListener('pointermove', showHint);
  box.addEventListener('pointerleave', () => (hint.hidden = true));
  box.addEventListener('scroll', ask, {passive: true});
  new ResizeObserver(ask).observe(box);
  room.style.height = rows.length * ROW + 'px';
  box.setAttribute('aria-valuemin', 0);
  box.setAttribute('aria-valuemax', rows.length - 1);

  return {
    update: ask,
    show(event) {
      const {row: lane, line} = lines.stretchAt(event), row = placed[lane];
      if (row * ROW < box.scrollTop) box.scrollTop = row * ROW - ROW;
      else if ((row + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (row + 2) * ROW - box.clientHeight;
      box.setAttribute('aria-valuenow', row);
      box.setAttribute('aria-valuetext', `line ${line}, event ${event}`);
      ask();
    },
  };
})();
