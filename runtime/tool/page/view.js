// Where the reader is, and every way to get elsewhere.

const view = {
  at: 0,
  asked: false,
  timer: 0,
  go(event) {
    const wanted = Math.max(0, Math.min(count - 1, event));
    if (wanted === this.at) return;
    this.at = wanted;
    this.ask();
  },
  // Shows another line, and an event of it.
  goTo(line, event) {
    if (line !== lines.shown) {
      states.leave(lines.sharedWith(lines.wayTo(line)));
      board.leave(lines.sharedWith(lines.wayTo(line)));
      lines.show(line);
      this.at = Math.max(0, Math.min(count - 1, event));
      list.measure(true);
      strip.change();
      search.change();
      this.ask();
    }
    this.go(event);
  },
  // To the first event of a stretch, in a line that goes there.
  goToStretch(stretch, event = stretch && stretch.from) {
    if (stretch && stretch.end > stretch.from) this.goTo(lines.lineFor(stretch), event);
  },
  // To the other ways from where this one began: round them all.
  sibling(step) {
    this.goToStretch(lines.sibling(this.at, step));
  },
  // To the event behind which lines part, before this one.
  fork() {
    const {parent, from} = lines.stretchAt(this.at);
    if (parent >= 0) this.go(from - 1);
  },
  main() {
    this.goTo(lines.main, this.at);
  },
  // However many keys there are in one frame, the page is drawn once.
  ask() {
    if (!this.asked) requestAnimationFrame(() => this.show());
    this.asked = true;
  },
  show() {
    this.asked = false;
    if (!count) return;
    list.reveal(this.at);
    strip.place(this.at);
    eventPart.show(this.at);
    board.show(this.at);
    statePart.show(this.at);
    search.say();
    treePart.show(this.at);
    document.getElementById('position').textContent = `${this.at} / ${count - 1}` +
      (lines.several ? ` \u00b7 line ${lines.shown}` : '');
    for (const id of ['first', 'move-before', 'before']) document.getElementById(id).disabled = this.at === 0;
    for (const id of ['next', 'move-next', 'last']) document.getElementById(id).disabled = this.at === count - 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), 300);
  },
  // Puts the event into the address, when the reader rests: browsers allow that only so often.
  tell() {
    try {
      history.replaceState(null, '', '#' + this.at + (lines.shown === lines.current ? '' : '@' + lines.shown));
    } catch (error) {
      // Some viewers of mail allow no address. Nothing else needs it.
    }
  },
  // A move is a chain: what one undo takes back.
  moveBefore() {
    const [from] = chainOf(this.at);
    this.go(this.at > from || from === 0 ? from : chainOf(from - 1)[0]);
  },
  moveNext() {
    const [, to] = chainOf(this.at);
    this.go(to < count ? to : count - 1);
  },
};
