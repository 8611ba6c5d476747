// Opens pages of `kifu html` in a headless Chromium, and prints what is wrong: {"NAME OF CHECK": "…" or null, …}.
//
//     node page_browser.mjs PLAN.json
//
// The plan is test_page_browser.py's: the browser, its client, and for each page what it must show.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = await import(pathToFileURL(createRequire(plan.client).resolve('puppeteer-core')));
const puppeteer = client.default;
const results = {};

const SIZES = {
  phone: {width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2},
  tablet: {width: 820, height: 1180, hasTouch: true},
  desktop: {width: 1440, height: 900},
};

const browser = await puppeteer.launch({
  executablePath: plan.browser,
  headless: true,
  args: process.getuid && process.getuid() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
});

// A page that complains of nothing and fetches nothing but itself.
async function open(name, size = 'desktop', theme = 'light') {
  const page = await browser.newPage();
  const wrong = [];
  page.on('console', (message) => wrong.push('console: ' + message.text()));
  page.on('pageerror', (error) => wrong.push('error: ' + error.message));
  page.on('dialog', (dialog) => {
    wrong.push('dialog: ' + dialog.message());
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== address && request.url() !== 'data:,') wrong.push('request: ' + request.url());
  });
  const address = pathToFileURL(plan.pages[name].path).href;
  await page.setViewport(SIZES[size]);
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: theme}]);
  await page.goto(address);
  await drawn(page);
  return {
    page,
    async close() {
      await page.close();
      assert.deepEqual(wrong, []);
    },
  };
}

// Whatever was asked for is drawn.
function drawn(page) {
  return page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  }));
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await drawn(page);
}

async function shift(page, key) {
  await page.keyboard.down('Shift');
  await page.keyboard.press(key);
  await page.keyboard.up('Shift');
  await drawn(page);
}

const at = (page) => page.evaluate(() => Number(document.querySelector('#event h2 .number').textContent));
const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
const center = async (page, selector) => {
  const box = await (await page.$(selector)).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2, box];
};

async function check(name, run) {
  try {
    await run();
    results[name] = null;
  } catch (error) {
    results[name] = String(error.stack || error);
  }
}

// A colour is 0xRRGGBB.
function shownAs(name, value) {
  const isColour = typeof value === 'number' && /(^|[._])colou?r$/.test(name);
  return isColour ? '0x' + value.toString(16).toUpperCase().padStart(6, '0') : String(value);
}

// Everything that the page shows of the event where it is, against what the game says.
async function compare(page, name, number, withState) {
  const expected = plan.pages[name].events[number];
  const shown = await page.evaluate(() => ({
    heading: document.querySelector('#event h2').textContent,
    facts: document.querySelector('#event .facts').textContent,
    fields: [...document.querySelectorAll('#event .object.top > li')].map((line) => line.textContent),
    row: document.querySelector('.row.selected').textContent,
    active: document.getElementById('list').getAttribute('aria-activedescendant'),
    position: document.getElementById('position').textContent,
    now: document.getElementById('track').getAttribute('aria-valuenow'),
  }));
  const short = expected.type.split('.').pop();
  assert.equal(shown.heading, `${number} ${expected.type}`);
  assert.ok(shown.row.includes(short) && shown.row.startsWith(String(number)), shown.row);
  assert.deepEqual([shown.active, shown.now], ['event-' + number, String(number)]);
  assert.ok(shown.position.startsWith(number + ' /'), shown.position);
  const player = plan.pages[name].players[expected.player];
  if (player !== undefined) assert.ok(shown.facts.includes(player), shown.facts);
  if (expected.cause !== undefined) assert.ok(shown.facts.includes('Because of' + expected.cause + ' '), shown.facts);
  const flat = Object.entries(expected.fields || {}).filter(([, value]) => typeof value !== 'object' && value !== '');
  for (const [field, value] of flat) {
    const words = `${field} ${shownAs(field, value)}`;
    assert.ok(shown.fields.includes(words), `${words} in ${shown.fields}`);
  }
  if (!withState) return;
  const state = plan.pages[name].states[number + 1];
  assert.deepEqual(await stateIn(page, number + 1), state);
  await compareTree(page, state, plan.pages[name].states[number]);
}

// The whole state after some events, as the page would copy it.
async function stateIn(page, events) {
  return JSON.parse(await page.evaluate((wanted) => JSON.stringify(stateObject(wanted)), events));
}

// What stands in the tree: the values at the top, and in the list what changed since `before`, if that is known.
async function compareTree(page, state, before) {
  const lines = await page.$$eval('#state > .object > li:not(.branch)', (all) =>
    all.map((line) => ['.name', '.value'].map((part) => [...line.querySelectorAll(part)].pop().textContent)));
  for (const [name, value] of lines) assert.equal(value, shownAs(name, state[name]), name);
  const shown = Object.fromEntries(lines);
  for (const name in state) if (typeof state[name] !== 'object') assert.ok(name in shown, name);
  if (!before) return;
  const changes = await page.$$eval('#state .changes li', (all) => all.map((line) =>
    [line.querySelector('.name'), ...line.querySelectorAll('.value')].map((part) => part && part.textContent)));
  const expected = differences(before, state, '');
  if (expected.length > 12) assert.equal(changes.length, 13);
  assert.deepEqual(changes.slice(0, 12), expected.slice(0, 12));
}

function differences(before, after, path) {
  if (typeof after !== 'object') return before === after ? [] : [[path, shownAs(path, before), shownAs(path, after)]];
  return Object.keys(after).flatMap((key) =>
    differences(before[key], after[key], Array.isArray(after) ? `${path}[${key}]` : path ? `${path}.${key}` : key));
}

// --- Each example: opens, walks, shows the right fields and states ---------------------------------------------------

for (const name of plan.examples) {
  await check(`walks ${name}`, async () => {
    const {page, close} = await open(name);
    const {events, states, title} = plan.pages[name];
    const last = events.length - 1;
    assert.equal(await page.title(), title);
    assert.equal(await textOf(page, 'h1'), title);
    await press(page, 'Home');
    for (let number = 0; number <= last; number++) {
      if (number) await press(page, 'ArrowRight');
      await compare(page, name, number, number + 1 in states);
    }
    await press(page, 'ArrowRight');
    assert.equal(await at(page), last);
    for (let number = last - 1; number >= 0; number--) {
      await page.keyboard.press('ArrowLeft');
      if (!(number + 1 in states)) continue;
      await drawn(page);
      await compare(page, name, number, true);
    }
    for (const count of Object.keys(states).map(Number).filter((count) => count > 0).reverse()) {
      await page.evaluate((number) => (location.hash = '#' + number), count - 1);
      await drawn(page);
      await drawn(page);
      await compare(page, name, count - 1, true);
    }
    await close();
  });

}

for (const name of [...plan.examples, 'lines', 'many']) {
  await check(`fits ${name}`, async () => {
    for (const size in SIZES) {
      for (const theme of plan.pictures ? ['light', 'dark'] : [size === 'tablet' ? 'dark' : 'light']) {
        const {page, close} = await open(name, size, theme);
        const found = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth - innerWidth,
          high: document.documentElement.scrollHeight - innerHeight,
          dark: getComputedStyle(document.body).backgroundColor,
          nameless: [...document.querySelectorAll('button, input')].filter((control) =>
            !(control.textContent.trim() || control.getAttribute('aria-label') || control.closest('label'))).length,
        }));
        assert.ok(found.wide <= 0 && found.high <= 0, JSON.stringify([size, theme, found]));
        assert.equal(found.dark, theme === 'dark' ? 'rgb(22, 24, 28)' : 'rgb(251, 250, 247)');
        assert.equal(found.nameless, 0);
        if (plan.pictures) await page.screenshot({path: `${plan.pictures}/${name}-${size}-${theme}.png`});
        await close();
      }
    }
  });
}

// --- Keys, mouse, touch ----------------------------------------------------------------------------------------------

await check('keys', async () => {
  const {page, close} = await open('reversi');
  const {events} = plan.pages.reversi;
  const begins = events.map((event, i) => i === 0 || !event.flags || !String(event.flags).includes('CONTINUE_UNDO'));
  assert.equal(await at(page), events.findIndex((event) => event.player !== undefined) - 1);
  await press(page, 'End');
  assert.equal(await at(page), events.length - 1);
  await press(page, 'Home');
  assert.equal(await at(page), 0);
  await shift(page, 'ArrowRight');
  assert.equal(await at(page), begins.indexOf(true, 1));
  await press(page, 'PageDown');
  const paged = await at(page);
  assert.ok(paged > 5);
  await shift(page, 'ArrowLeft');
  assert.equal(await at(page), begins.lastIndexOf(true, begins[paged] ? paged - 1 : paged));
  const caused = events.findIndex((event, i) => event.cause !== undefined && i > 20);
  await press(page, '/');
  await page.keyboard.type('#' + caused);
  await press(page, 'Enter');
  assert.equal(await at(page), caused);
  await press(page, 'Escape', 'c');
  assert.equal(await at(page), events[caused].cause);
  await press(page, '?');
  assert.ok(await page.$eval('#help', (help) => help.open));
  await press(page, 'ArrowRight', 'Escape');
  assert.equal(await page.$eval('#help', (help) => help.open), false);
  assert.equal(await at(page), events[caused].cause);
  for (const wanted of ['light', 'dark', 'auto']) {
    await press(page, 't');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), wanted);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
      wanted === 'dark' ? 'rgb(22, 24, 28)' : 'rgb(251, 250, 247)');
  }
  await page.focus('#track');
  await press(page, 'ArrowRight');
  assert.equal(await at(page), events[caused].cause + 1);
  await close();
});

await check('search', async () => {
  const {page, close} = await open('reversi');
  const {events} = plan.pages.reversi;
  const found = [...events.keys()].filter((i) => events[i].type === 'reversi.EFlip' && events[i].fields.square === 28);
  assert.ok(found.length > 1);
  await press(page, 'Home', '/');
  await page.keyboard.type('eflip SQUARE 28');
  await page.waitForFunction(() => document.getElementById('found').textContent);
  assert.equal(await textOf(page, '#found'), `${found.length} found`);
  await press(page, 'Enter');
  assert.equal(await at(page), found[0]);
  assert.equal(await textOf(page, '#found'), `1 of ${found.length}`);
  await page.focus('#list');
  await press(page, 'n');
  assert.equal(await at(page), found[1]);
  await shift(page, 'N');
  assert.equal(await at(page), found[0]);
  await page.click('#found-before');
  await drawn(page);
  assert.equal(await at(page), found[found.length - 1]);
  assert.ok(await page.$eval('.row.selected', (row) => row.classList.contains('match')));
  await page.focus('#search');
  await page.keyboard.type(' nonsense');
  await page.waitForFunction(() => document.getElementById('found').textContent === 'nothing');
  await press(page, 'Escape');
  assert.equal(await textOf(page, '#found'), '');
  await close();
});

await check('mouse', async () => {
  const {page, close} = await open('duel');
  const last = plan.pages.duel.events.length - 1;
  await press(page, 'Home');
  const rows = await page.$$('.row');
  await rows[3].click();
  await drawn(page);
  assert.equal(await at(page), 3);
  const [x, y, box] = await center(page, '#track');
  await page.mouse.click(x, y);
  await drawn(page);
  assert.ok(Math.abs(await at(page) - last / 2) < 2);
  await page.mouse.move(box.x + 1, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4, y);
  await drawn(page);
  assert.ok(Math.abs(await at(page) - last / 4) < 2);
  assert.equal(await page.$eval('#hint', (hint) => hint.hidden), false);
  await page.mouse.move(box.x + box.width - 1, y);
  await page.mouse.up();
  await drawn(page);
  assert.equal(await at(page), last);
  for (const [button, wanted] of [['first', 0], ['next', 1], ['before', 0], ['last', last]]) {
    await page.click('#' + button);
    await drawn(page);
    assert.equal(await at(page), wanted, button);
  }
  const cause = plan.pages.duel.events.findIndex((event) => event.cause !== undefined);
  await page.evaluate((number) => (location.hash = '#' + number), cause);
  await drawn(page);
  await drawn(page);
  await page.click('#event .facts .link');
  await drawn(page);
  assert.equal(await at(page), plan.pages.duel.events[cause].cause);
  await close();
});

await check('strip', async () => {
  const {page, close} = await open('clock');
  const {events} = plan.pages.clock;
  const flags = (event) => String(event.flags);
  const thought = (event) => (event.fields && event.fields.seconds) || 0;
  const lanes = {
    'Ann': (event) => event.player === 0,
    'Bob': (event) => event.player === 1,
    'rules': (event) => event.player === undefined,
    'no undo': (event) => !flags(event).includes('UNDOABLE'),
    'random': (event) => /(^| )RANDOM/.test(flags(event)),
    'thought': (event) => thought(event) > 0,
  };
  assert.deepEqual(await page.$$eval('.lane', (all) => all.map((lane) => lane.textContent)), Object.keys(lanes));
  // The colour in the middle of each event, at the foot of each lane.
  const shown = await page.evaluate((count, rows) => {
    const canvas = document.getElementById('canvas');
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const alpha = (x, y) => pixels[4 * (canvas.width * Math.floor(y * devicePixelRatio) + Math.floor(x)) + 3];
    return Array.from({length: rows}, (_, row) => Array.from({length: count}, (_, event) =>
      alpha((event + 0.4) * canvas.width / count, row * 13 + 10)));
  }, events.length, Object.keys(lanes).length);
  Object.values(lanes).forEach((has, row) =>
    assert.deepEqual(shown[row].map((alpha) => alpha > 0), events.map(has), Object.keys(lanes)[row]));
  // Only the longest thought is long: it has a sign, and the full colour.
  const long = events.findIndex((event) => thought(event) === 60);
  assert.deepEqual(shown[5].flatMap((alpha, event) => (alpha === 255 ? [event] : [])), [long]);
  await page.evaluate((wanted) => view.go(wanted), long);
  await drawn(page);
  assert.match(await textOf(page, '#event .facts'), /Thought for1 min 0 s.*long thought/);
  assert.ok(await page.$('.row.selected .sign-thought'));
  await close();
});

await check('tree', async () => {
  const {page, close} = await open('duel');
  await press(page, 'End');
  const closed = () => page.$$eval('#state .toggle', (all) =>
    all.findIndex((each) => each.getAttribute('aria-expanded') === 'false'));
  const toggles = () => page.$$('#state .toggle');
  const number = await closed(), before = (await toggles()).length;
  await (await toggles())[number].click();
  assert.ok((await toggles()).length > before || (await page.$$('#state .cells')).length);
  await press(page, 'ArrowLeft');
  assert.equal(await (await toggles())[number].evaluate((each) => each.getAttribute('aria-expanded')), 'true');
  await (await toggles())[number].focus();
  await press(page, 'Enter');
  assert.equal((await toggles()).length, before);
  await close();
});

await check('touch', async () => {
  const {page, close} = await open('chess', 'phone');
  const parts = () => page.$$eval('main > section', (all) =>
    all.filter((each) => each.offsetHeight > 0).map((each) => each.id));
  assert.deepEqual(await parts(), ['board', 'event']); // The board is what one sees first.
  await swipe(page, '#board', -150);
  await swipe(page, '#board', 150);
  await page.tap('#tab-events');
  await drawn(page);
  assert.deepEqual(await parts(), ['events']);
  const number = await page.$eval('.row.selected', (row) => Number(row.dataset.event));
  const row = await page.$(`#event-${number + 2}`);
  await row.tap();
  await drawn(page);
  assert.equal(await at(page), number + 2);
  assert.ok(await row.evaluate((each) => each.offsetHeight >= 44));
  for (const tab of ['event', 'state']) {
    await page.tap('#tab-' + tab);
    await page.waitForFunction((wanted) => document.body.dataset.tab === wanted, {timeout: 5000}, tab);
    assert.deepEqual(await parts(), tab === 'event' ? ['board', 'event'] : [tab]);
    const before = await at(page);
    await swipe(page, '#' + tab, -150);
    assert.equal(await at(page), before + 1);
    await swipe(page, '#' + tab, 150);
    assert.equal(await at(page), before);
  }
  await page.tap('#next');
  await drawn(page);
  assert.equal(await at(page), number + 3);
  const [, y, box] = await center(page, '#track');
  await page.touchscreen.tap(box.x + box.width - 2, y);
  await drawn(page);
  assert.equal(await at(page), plan.pages.chess.events.length - 1);
  await close();
});

async function swipe(page, selector, way) {
  const [x, y] = await center(page, selector);
  const finger = await page.touchscreen.touchStart(x, y);
  await finger.move(x + way / 2, y);
  await finger.move(x + way, y);
  await finger.end();
  await drawn(page);
}

// --- Lines and notes -------------------------------------------------------------------------------------------------

const literally = (text) => text.split('\n').map((each) => each.replace(/[\u0000-\u001f]/g, '')).join('\n');

await check('lines', async () => {
  const {page, close} = await open('lines');
  for (const [line, {events, states}] of Object.entries(plan.pages.lines.lines)) {
    await page.evaluate((number) => view.goTo(number, 0), Number(line));
    await drawn(page);
    assert.equal(await textOf(page, '#position'), `${await at(page)} / ${events.length - 1} \u00b7 line ${line}`);
    for (const number of [0, events.length - 1, ...events.keys()].slice(0, 60)) {
      await page.evaluate((wanted) => view.go(wanted), number);
      await drawn(page);
      const expected = events[number], owner = expected.line;
      assert.equal(await textOf(page, '#event h2'), `${number} ${expected.type}`);
      assert.match(await textOf(page, '#event .facts'), new RegExp(`Line${owner}(?!\\d)`));
      const shown = await page.$$eval('#event .notes', (all) => all.map((each) => each.textContent).pop() || '');
      for (const text of Object.values(expected.notes || {})) {
        if (typeof text === 'string') assert.ok(shown.includes(literally(text)), `${text} in ${shown}`);
      }
      assert.equal((await page.$$('.row.selected .sign-note')).length, Object.keys(expected.notes || {}).length ? 1 : 0,
        `notes of event ${number} in line ${line}`);
    }
    for (const [count, state] of Object.entries(states)) assert.deepEqual(await stateIn(page, Number(count)), state);
  }
  assert.equal(await page.evaluate(() => 'hacked' in window), false);
  assert.equal((await page.$$('#event b, #list b')).length, 0);
  await close();
});

await check('walks lines', async () => {
  const {page, close} = await open('lines');
  const {stretches} = plan.pages.lines.tree;
  const fork = stretches.find((each) => each.count && stretches.filter((other) => other.follows === each.stretch).length > 2);
  const ways = stretches.filter((each) => each.follows === fork.stretch && each.count);
  await page.evaluate((line, event) => view.goTo(line, event), fork.line, fork.from + fork.count - 1);
  await drawn(page);
  const links = await page.$$eval('#event .ways .way', (all) => all.map((each) => each.textContent));
  assert.equal(links.length, ways.length);
  for (const way of ways) assert.ok(links.some((each) => each.includes(`line ${way.line}`)), `line ${way.line} in ${links}`);
  assert.ok(await page.$('.row.selected .sign-parts'));
  // Round all ways on, by key: each is entered once.
  await (await page.$$('#event .ways .way'))[1].click();
  await drawn(page);
  const seen = [];
  const here = () => page.evaluate(() => lines.stretchAt(view.at).line);
  for (let i = 0; i < ways.length; i++) {
    assert.equal(await at(page), fork.from + fork.count);
    seen.push(await here());
    await press(page, 'v');
  }
  assert.deepEqual([...seen].sort((a, b) => a - b), ways.map((way) => way.line).sort((a, b) => a - b));
  assert.equal(await here(), seen[0]);
  await shift(page, 'V');
  assert.equal(await here(), seen[seen.length - 1]);
  await press(page, 'b');
  assert.equal(await at(page), fork.from + fork.count - 1);
  await press(page, 'm');
  assert.equal(await page.evaluate(() => lines.shown), plan.pages.lines.tree.main);
  // A click on a line of the picture, and the address leads there, too.
  const wanted = ways[ways.length - 1];
  const place = await page.evaluate((number) => {
    const stretch = lines.tree[number];
    view.goToStretch(stretch);
    return location.href;
  }, wanted.stretch);
  await drawn(page);
  assert.equal(await here(), wanted.line);
  await page.evaluate((line, event) => (location.hash = `#${event}@${line}`), fork.line, fork.from);
  await drawn(page);
  await drawn(page);
  assert.deepEqual([await at(page), await here()], [fork.from, fork.line], place);
  const [x, y] = await center(page, '#tree-box');
  await page.mouse.move(x, y);
  assert.match(await textOf(page, '#tree-hint'), /^line \d+ \u00b7 \d+ \w+/);
  const hinted = await textOf(page, '#tree-hint');
  await page.mouse.click(x, y);
  await drawn(page);
  assert.equal(`line ${await here()} \u00b7 ${await at(page)}`, hinted.split(' ').slice(0, 4).join(' '));
  await close();
});

// Each row of the picture is reached by Up and Down, and comes back.
await check('tree by keys', async () => {
  const {page, close} = await open('many');
  const here = () => page.evaluate(() => [lines.stretchAt(view.at).place, view.at]);
  const rowOf = () => page.evaluate(() => Number(document.getElementById('tree-box').getAttribute('aria-valuenow')));
  await page.evaluate(() => view.goTo(lines.main, 20));
  await drawn(page);
  await page.focus('#tree-box');
  const begin = [await here(), await rowOf()];
  for (let i = 1; i <= 12; i++) {
    await press(page, 'ArrowDown');
    assert.equal(await rowOf(), begin[1] + i);
  }
  for (let i = 0; i < 12; i++) await press(page, 'ArrowUp');
  assert.deepEqual([await here(), await rowOf()], begin); // However short the rows on the way are.
  await press(page, 'ArrowUp', 'ArrowUp');
  assert.equal(await rowOf(), Math.max(0, begin[1] - 2));
  await press(page, 'ArrowRight');
  await page.focus('#list');
  const event = await at(page);
  await press(page, 'ArrowDown'); // It means events there.
  assert.equal(await at(page), event + 1);
  await close();
});

// Where there is no keyboard.
await check('lines by buttons', async () => {
  const {page, close} = await open('lines', 'phone');
  const {stretches, main} = plan.pages.lines.tree;
  const fork = stretches.find((each) => each.count && stretches.filter((other) => other.follows === each.stretch).length > 2);
  const ways = stretches.filter((each) => each.follows === fork.stretch && each.count);
  await page.evaluate((number) => view.goToStretch(lines.tree[number]), ways[1].stretch);
  await drawn(page);
  await page.tap('#tab-event');
  const tap = async (words) => {
    const links = await page.$$('#event .facts .link');
    const texts = await Promise.all(links.map((each) => each.evaluate((element) => element.textContent)));
    const found = texts.findIndex((each) => each.includes(words));
    assert.ok(found >= 0, `${words} in ${texts}`);
    await links[found].tap();
    await drawn(page);
  };
  const shown = () => page.evaluate(() => lines.shown);
  const seen = new Set();
  for (let i = 0; i < ways.length; i++) {
    seen.add(await page.evaluate(() => lines.stretchAt(view.at).line));
    await tap(`of ${ways.length}: the next one`);
  }
  assert.equal(seen.size, ways.length);
  await page.evaluate((number) => view.goToStretch(lines.tree[number]), ways.find((each) => !each.main).stretch);
  await drawn(page);
  await tap('the main line');
  assert.equal(await shown(), main);
  await close();
});

// Notes of other lines are found, too, and each once on the way round.
await check('search in all lines', async () => {
  const {page, close} = await open('many');
  const wanted = await page.evaluate(() => lines.tree.flatMap((stretch) => Array.from(
    {length: stretch.end - stretch.from}, (_, i) => [stretch.line, stretch.from + i])).filter(([line, event]) =>
    JSON.stringify(lines.notesOf(line, event) || '').includes('!?') &&
    JSON.stringify(lines.notesOf(line, event)).includes('something else')).map(String));
  assert.ok(wanted.length > 10);
  await press(page, '/');
  await page.keyboard.type('something !?');
  await page.waitForFunction(() => document.getElementById('found').textContent);
  const found = new Set();
  for (let i = 0; i < 3 * wanted.length && found.size < wanted.length; i++) {
    await press(page, 'Enter');
    found.add(await page.evaluate(() => String([lines.stretchAt(view.at).line, view.at])));
  }
  assert.deepEqual([...found].sort(), wanted.sort());
  await close();
});

await check('many lines', async () => {
  const {page, close} = await open('many');
  assert.match(await textOf(page, '#about'), /1001 lines/);
  const before = Date.now();
  for (let i = 0; i < 40; i++) await press(page, i % 4 ? 'ArrowRight' : 'b', 'v');
  assert.ok(Date.now() - before < 20000);
  // Only what is seen is drawn: the picture is as high as its box.
  const sizes = await page.evaluate(() => [document.getElementById('tree-canvas').clientHeight,
    document.getElementById('tree-box').clientHeight, document.getElementById('tree-room').clientHeight]);
  assert.ok(sizes[0] <= sizes[1] && sizes[2] > 3 * sizes[1], sizes);
  for (const [line, {events, states}] of Object.entries(plan.pages.many.lines)) {
    await page.evaluate((number, event) => view.goTo(number, event), Number(line), events.length - 1);
    await drawn(page);
    assert.equal(await textOf(page, '#event h2'), `${events.length - 1} ${events[events.length - 1].type}`);
    for (const [count, state] of Object.entries(states)) assert.deepEqual(await stateIn(page, Number(count)), state);
  }
  await close();
});

// --- How the game looks ----------------------------------------------------------------------------------------------

const boardIn = (page) => page.evaluate(() => {
  const room = document.querySelector('#board .drawing'), made = room.firstElementChild;
  const place = (element) => {
    const {left, top, width, height} = element.getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
  };
  const [x, y, wide, high] = place(room), [left, top, width, height] = place(made);
  return {
    isText: made.tagName === 'PRE', text: made.textContent, words: made.textContent.replace(/\s+/g, ''),
    elements: made.querySelectorAll('*').length, room: place(room), made: place(made),
    fits: left >= x - 1 && top >= y - 1 && left + width <= x + wide + 1 && top + height <= y + high + 1,
    said: document.querySelector('#board .said').textContent,
  };
});

const trimmed = (text) => text.split('\n').map((line) => line.trimEnd()).join('\n').trimEnd();

for (const name of plan.examples) {
  await check(`board ${name}`, async () => {
    const {looks} = plan.pages[name];
    for (const [size, theme] of [['desktop', 'light'], ['tablet', 'light'], ['phone', 'dark']]) {
      const {page, close} = await open(name, size, theme);
      const rooms = new Set(), places = new Set();
      const step = size === 'desktop' ? 1 : 5;
      for (const count of Object.keys(looks).map(Number).filter((each) => each > 0 && each % step === 0)) {
        await page.evaluate((wanted) => view.go(wanted), count - 1);
        await drawn(page);
        const found = await boardIn(page), expected = looks[count];
        rooms.add(String(found.room));
        if (!found.isText) places.add(String(found.made));
        assert.ok(found.fits && found.room[2] > 200 && found.room[3] > 150, JSON.stringify([size, count, found]));
        assert.equal(found.said, '');
        assert.equal(found.isText, expected.elements === undefined);
        if (found.isText) assert.equal(trimmed(found.text), trimmed(expected.text));
        else assert.deepEqual([found.elements, found.words], [expected.elements, expected.words]);
      }
      assert.deepEqual([rooms.size, places.size <= 1], [1, true], JSON.stringify([size, ...rooms, ...places]));
      if (plan.pictures) await page.screenshot({path: `${plan.pictures}/board-${name}-${size}-${theme}.png`});
      await close();
    }
  });
}

// The cells of an array do not move while one steps, nor does what stands below it.
await check('cells stay', async () => {
  for (const name of ['chess', 'reversi', 'go']) {
    const {page, close} = await open(name);
    const {events} = plan.pages[name];
    const seen = new Set();
    for (let number = 6; number < events.length; number++) {
      await page.evaluate((wanted) => view.go(wanted), number);
      await drawn(page);
      seen.add(await page.evaluate(() => {
        const grid = [...document.querySelectorAll('#state .cells')].sort((a, b) => b.childElementCount - a.childElementCount)[0];
        return JSON.stringify([grid.offsetWidth, grid.parentElement.offsetHeight,
          ...[...grid.children].slice(0, 200).map((cell) => cell.offsetLeft - grid.offsetLeft)]);
      }));
    }
    assert.equal(seen.size, 1, name + ' ' + [...seen].slice(0, 2));
    await close();
  }
});

await check('tricks', async () => {
  const {page, close} = await open('trick');
  for (const number of [0, 8, 12]) {
    await page.evaluate((wanted) => view.go(wanted), number);
    await drawn(page);
    const found = await page.evaluate(() => ({
      hacked: 'hacked' in window,
      svg: document.querySelector('#board svg svg') !== null,
      names: [...new Set([...document.querySelectorAll('#board svg, #board svg *')].flatMap((each) =>
        [...each.attributes].map((attribute) => attribute.name)))],
      tags: [...new Set([...document.querySelectorAll('#board svg *')].map((each) => each.tagName))],
      outside: /example.com|javascript/.test(document.getElementById('board').innerHTML),
      lists: document.querySelectorAll('#list').length,
      drawn: document.querySelectorAll('#drawn-list').length,
    }));
    if (number < 1) continue;
    assert.deepEqual([found.hacked, found.svg, found.outside, found.lists], [false, true, false, 1], JSON.stringify(found));
    assert.ok(found.drawn > 0);
    for (const name of found.names) assert.ok(!/^on|style|class/.test(name), name);
    for (const tag of found.tags) assert.ok(!/script|image|^a$|foreign|^b$|set/i.test(tag), tag);
  }
  await close();
});

// What is not well-formed is text.
await check('broken', async () => {
  const {page, close} = await open('broken');
  const found = await boardIn(page);
  assert.ok(found.isText && found.text.startsWith('<svg '), found.text);
  await close();
});

await check('turns', async () => {
  const {page, close} = await open('turns');
  const {looks, count} = plan.pages.turns;
  let last = 0, skipped = 0;
  for (let number = 0; number < count; number++) {
    await page.evaluate((wanted) => view.go(wanted), number);
    await drawn(page);
    if (looks[number + 1].text !== null) last = number + 1;
    else skipped++;
    const found = await boardIn(page), expected = looks[last];
    if (found.isText) assert.equal(trimmed(found.text), trimmed(expected.text));
    else assert.deepEqual([found.elements, found.words], [expected.elements, expected.words]);
    assert.equal(found.said.startsWith(`This is after event ${last - 1}. Only the ends of turns are drawn`),
      last !== number + 1, found.said);
  }
  assert.ok(skipped > 10);
  await close();
});

await check('few', async () => {
  const {page, close} = await open('few');
  await press(page, 'End');
  const found = await boardIn(page);
  assert.match(found.said, /^This is after event \d+\. More would be more than 14 KiB\. --drawings SIZE makes a page with more\.$/);
  assert.equal((await page.$$('#board .said code')).length, 1);
  await close();
});

await check('no board', async () => {
  const {page, close} = await open('storm');
  assert.equal(await page.$eval('#board', (part) => part.hidden), true);
  assert.equal(await textOf(page, '#tab-event'), 'Event');
  await close();
});

// --- Beside the board ------------------------------------------------------------------------------------------------

await check('notes', async () => {
  const {page, close} = await open('talk');
  const found = await page.evaluate(async () => {
    const seen = {own: 0, chain: 0, cut: 0, wrong: []};
    for (const line of lines.tips.keys()) {
      view.goTo(line, 0);
      for (let event = 0; event < count; event++) {
        const here = lines.notesAt(event), about = lines.notedAt(event);
        if (!about.length) continue;
        view.go(event);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const row = document.querySelector('.row.selected'), said = row.querySelector('.said');
        const told = row.querySelector('.told-here').textContent, words = fieldsText(event, 160);
        // The move is seen beside its note.
        if (words && (said.textContent !== words || said.offsetWidth < 40)) seen.wrong.push(row.textContent);
        if (told.length > 160 || (told.length >= 158) !== told.endsWith('\u2026')) seen.wrong.push(told);
        if (document.querySelectorAll('#event .notes').length < about.length) seen.wrong.push(event);
        seen.own += here ? 1 : 0;
        seen.chain += about.some((each) => each !== event) ? 1 : 0;
        seen.cut += [...document.querySelectorAll('.ways .told-here')].some((each) => each.textContent.endsWith('\u2026')) ? 1 : 0;
      }
    }
    return seen;
  });
  assert.deepEqual(found.wrong, []);
  assert.ok(found.own > 5 && found.chain > 3, JSON.stringify(found));
  // Where ways part, a comment that is cut ends in an ellipsis.
  const cuts = await page.evaluate(async () => {
    const texts = [];
    for (const stretch of lines.tree.filter((each) => each.parts > 1 && each.end)) {
      view.goTo(lines.lineFor(stretch), stretch.end - 1);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      texts.push(...[...document.querySelectorAll('.ways .told-here')].map((each) => each.textContent));
    }
    return texts;
  });
  assert.ok(cuts.some((text) => text.endsWith('\u2026')), JSON.stringify(cuts));
  for (const text of cuts) assert.ok(text.length <= 80 && (text.length >= 78) === text.endsWith('\u2026'), text);
  await close();
});

await check("the whole game's comment", async () => {
  const {page, close} = await open('lines');
  const {events} = plan.pages.lines;
  assert.equal(await at(page), events.findIndex((event) => event.player !== undefined) - 1);
  assert.match(await textOf(page, '#event .notes'), /^The game.*A random game & its lines/);
  await press(page, 'Home');
  assert.match(await textOf(page, '#event .notes'), /A random game & its lines/);
  await page.evaluate((wanted) => view.go(wanted), events.findIndex((event) => event.player !== undefined));
  await drawn(page);
  assert.ok(!(await textOf(page, '#event')).includes('A random game & its lines'));
  await close();
});

await check('set-up', async () => {
  const {page, close} = await open('chess');
  const setUp = plan.pages.chess.events.findIndex((event) => event.player !== undefined);
  const first = () => page.$$eval('.row', (rows) => Math.min(...rows.map((row) => Number(row.dataset.event))));
  assert.equal(await first(), setUp - 1);
  assert.equal(await textOf(page, '.folder'), `\u25b8 set-up, ${setUp} events`);
  await page.click('.folder');
  await drawn(page);
  assert.equal(await first(), 0);
  await page.click('.folder');
  await drawn(page);
  assert.equal(await first(), setUp - 1);
  await press(page, 'Home'); // Who goes there sees it.
  assert.deepEqual([await first(), await at(page)], [0, 0]);
  await page.click('.folder');
  await drawn(page);
  assert.deepEqual([await first(), await at(page)], [setUp - 1, setUp - 1]);
  await press(page, 'End');
  assert.equal(await page.$eval('.row.selected', (row) => Number(row.dataset.event)), plan.pages.chess.count - 1);
  await close();
});

await check('colours', async () => {
  const {page, close} = await open('nim');
  const colours = await page.$$eval('#players .badge', (all) => all.map((each) => getComputedStyle(each).backgroundColor));
  assert.deepEqual(colours, ['rgb(255, 0, 0)', 'rgb(0, 0, 255)']);
  const text = await page.evaluate(() => valueText({color: 0xff0000, back_colour: 1, colors: 7}, 60));
  assert.equal(text, '{color 0xFF0000, back_colour 0x000001, colors 7}');
  const lane = await page.evaluate(() => {
    const canvas = document.getElementById('canvas'), event = events.findIndex((each) => each[PLAYER] === 1);
    const x = Math.floor((event + 0.4) * canvas.width / count), y = Math.floor((13 + 6) * devicePixelRatio);
    return [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];
  });
  assert.deepEqual(lane, [0, 0, 255, 255]);
  await close();
  for (const theme of ['light', 'dark']) { // A white player is seen on white paper, and a black one on black.
    const {page, close} = await open('chess', 'desktop', theme);
    const contrasts = await page.evaluate(() => {
      const paper = parseColour(getComputedStyle(document.documentElement).getPropertyValue('--raised'));
      return [0, 1].map((player) => contrast(playerColour(player, paper).match(/\d+/g).map(Number), paper));
    });
    for (const each of contrasts) assert.ok(each >= 1.5, theme + contrasts);
    await close();
  }
});

await check('numbers at lines', async () => {
  const {page, close} = await open('lines');
  const written = await page.evaluate(async () => {
    const found = new Set(), write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      found.add(text);
      write.call(this, text, ...place);
    };
    for (const top of [0, 100, 200, 400, 800]) {
      document.getElementById('tree-box').scrollTop = top;
      treePart.update();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    return [[...found], [...lines.tips.keys()].map(String)];
  });
  for (const text of written[0]) assert.ok(written[1].includes(text), text);
  assert.ok(written[0].length > 0.8 * written[1].length, JSON.stringify(written));
  await close();
});

// --- Hostile, long, empty --------------------------------------------------------------------------------------------

await check('hostile', async () => {
  const {page, close} = await open('hostile');
  const {events, title, players} = plan.pages.hostile;
  const literal = (text) => text.replace(/[\u0000-\u001f\u200b-\u200f\u2028-\u202e]/g, (character) =>
    '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'));
  assert.equal(await textOf(page, 'h1'), literal(title));
  for (let number = 0; number < events.length; number++) {
    await page.evaluate((wanted) => view.go(wanted), number);
    await drawn(page);
    assert.equal(await textOf(page, '#event h2'), `${number} ${events[number].type}`);
  }
  await page.evaluate(() => view.go(5));
  await drawn(page);
  assert.ok((await textOf(page, '#event .object')).includes(literal(events[5].fields.who)));
  const names = await page.$$eval('#players .data', (all) => all.map((name) => name.textContent));
  assert.deepEqual(names, players.map(literal));
  await press(page, '/');
  await page.keyboard.type('<script>');
  await page.waitForFunction(() => document.getElementById('found').textContent);
  const found = await page.evaluate(() => ({
    hacked: 'hacked' in window,
    elements: [...document.querySelectorAll('img, iframe, object, embed, b, hr, a, [onload], [onerror]')].length,
    scripts: document.scripts.length,
  }));
  assert.deepEqual(found, {hacked: false, elements: 0, scripts: 4});
  await close();
});

await check('policy', async () => {
  const page = await browser.newPage();
  const wrong = [];
  page.on('console', (message) => wrong.push(message.text()));
  await page.goto(pathToFileURL(plan.pages.nim.path).href);
  const refused = await page.evaluate(() => {
    const tried = [
      () => (document.createElement('div').innerHTML = '<img src=x onerror="window.hacked = 1">'),
      () => (document.createElement('script').textContent = 'window.hacked = 1'),
      () => document.write('<script>window.hacked = 1</' + 'script>'),
    ];
    return tried.map((each) => {
      try {
        each();
      } catch (error) {
        return true;
      }
      return false;
    });
  });
  assert.deepEqual(refused, [true, true, true]);
  const fetched = await page.evaluate(() => fetch('data:text/plain,x').then(() => true, () => false));
  assert.equal(fetched, false);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await page.close();
});

await check('long', async () => {
  const {page, close} = await open('long');
  const {count, states} = plan.pages.long;
  const seen = () => page.$$eval('.row', (rows) => rows.length);
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
  for (const number of [count - 1, 0, Math.floor(count / 2), count - 2]) {
    await page.evaluate((wanted) => view.go(wanted), number);
    await drawn(page);
    assert.equal(await at(page), number);
    assert.ok(await seen() < 100);
    assert.ok(await elements() < 2500);
    assert.equal(await page.$eval('.row.selected', (row) => Number(row.dataset.event)), number);
    const box = await (await page.$('.row.selected')).boundingBox(), list = await (await page.$('#list')).boundingBox();
    assert.ok(box.y >= list.y - 1 && box.y + box.height <= list.y + list.height + 1, JSON.stringify([box, list]));
  }
  for (const events in states)
    assert.deepEqual(await stateIn(page, Number(events)), states[events]);
  // By the wheel, too, all rows that should be there are there.
  const [x, y] = await center(page, '#list');
  await page.mouse.move(x, y);
  await page.evaluate(() => (document.getElementById('list').scrollTop = 1000000));
  await page.mouse.wheel({deltaY: 5000});
  await page.waitForFunction(() => document.getElementById('list').scrollTop > 1000000);
  await drawn(page);
  const rows = await page.$$eval('.row', (all) => all.map((row) => Number(row.dataset.event)).sort((a, b) => a - b));
  assert.deepEqual(rows, rows.map((_, i) => rows[0] + i));
  const list = await (await page.$('#list')).boundingBox();
  assert.ok(rows.length * 30 >= list.height);
  assert.ok(!rows.includes(0) && !rows.includes(count - 1));
  // Who is faster than the search goes to the match as soon as it is found.
  await press(page, 'End', '/');
  await page.keyboard.type('einitialize');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^1 of/.test(document.getElementById('found').textContent));
  assert.equal(await page.evaluate(() => game.types[game.events[view.at][0]]), 'kifu.EInitialize');
  await close();
});

await check('capped', async () => {
  const {page, close} = await open('capped');
  const shown = await page.evaluate(() => states.about.shown);
  await page.evaluate((number) => view.go(number), shown - 1);
  await drawn(page);
  assert.ok((await textOf(page, '#state')).includes('All fields'));
  await press(page, 'ArrowRight');
  const said = await textOf(page, '#state');
  assert.ok(said.includes(`The states end after event ${shown - 1}: all of them would be more than 6 KiB`), said);
  assert.ok(!said.includes('`') && (await page.$('#state code')) !== null, said);
  await press(page, 'ArrowLeft');
  assert.ok((await textOf(page, '#state')).includes('All fields'));
  await close();
});

await check('empty', async () => {
  const {page, close} = await open('empty');
  assert.match(await textOf(page, '#event'), /This game has no events/);
  await press(page, 'ArrowRight', 'End', 'Home', 'n', '/');
  await page.keyboard.type('x');
  await page.click('#next');
  assert.equal((await page.$$('.row')).length, 0);
  await close();
});

await check('undone, and without states', async () => {
  const {page, close} = await open('storm');
  await press(page, 'End');
  assert.match(await textOf(page, '#state'), /This event was undone/);
  assert.match(await textOf(page, '#event .facts'), /a redo brings back events 10 to 11/);
  await press(page, 'Home');
  assert.match(await textOf(page, '#state'), /A page with the state after each event is made by the program/);
  await close();
});

await browser.close();
console.log(JSON.stringify(results));
