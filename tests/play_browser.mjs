// Plays in pages of `html --play` in a headless Chromium, and prints what is wrong: {"NAME OF CHECK": "…" or null, …}, and
// under "found" what the native programs compare.
//
//     node play_browser.mjs PLAN.json
//
// The plan is test_page_play.py's: the browser, its client, the pages, and a folder for saves.

import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, readdirSync, renameSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = await import(pathToFileURL(createRequire(plan.client).resolve('puppeteer-core')));
const results = {}, found = {};
const SIZES = {
  phone: {width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2},
  tablet: {width: 820, height: 1180, hasTouch: true},
  desktop: {width: 1440, height: 900},
};

const browser = await client.default.launch({
  executablePath: plan.browser,
  headless: true,
  args: process.getuid && process.getuid() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
});

async function check(name, run) {
  try {
    await run();
    results[name] = null;
  } catch (error) {
    results[name] = String(error.stack || error);
  }
}

const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
const settled = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
}));

// A page that complains of nothing and fetches nothing but itself.
async function open(name, size = 'desktop', theme = 'light', before = null) {
  const page = await browser.newPage(), wrong = [], address = pathToFileURL(plan.pages[name].path).href;
  page.on('console', (message) => wrong.push('console: ' + message.text()));
  page.on('pageerror', (error) => wrong.push('error: ' + error.message));
  page.on('request', (request) => {
    if (![address, 'data:,'].includes(request.url()) && !request.url().startsWith('blob:')) wrong.push('request: ' + request.url());
  });
  if (before) await page.evaluateOnNewDocument(before);
  await page.setViewport(SIZES[size]);
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: theme}]);
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector('.verdict').textContent !== 'Executing …', {timeout: 60000});
  return {page, async close() { await page.close(); assert.deepEqual(wrong, []); }};
}

const shown = (page) => page.evaluate(() => {
  const {count, line, hash, undo, redo, over, moves, commands, computer} = play.shown;
  return {count, line, hash, undo, redo, over, moves: moves.length, commands: commands.length, computer};
});
const problem = (page) => page.evaluate(() => (document.querySelector('#play .problem') || {textContent: ''}).textContent);

// From the place after so many events; -1: where the game is.
async function start(page, events = -1) {
  await page.evaluate((wanted) => view.go(wanted < 0 ? lines.executed - 1 : wanted - 1), events);
  await settled(page);
  await page.click('.begin');
  await settled(page);
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

async function think(page) {
  await page.click('#play-foot .computer');
  await page.waitForFunction(() => !document.querySelector('#play-foot .place').textContent.startsWith('Thinking'), {timeout: 60000});
}

// Downloads the game to `NAME.kifu` in the plan's folder.
async function download(page, name) {
  const folder = join(plan.folder, 'downloads-' + name), session = await page.createCDPSession();
  mkdirSync(folder, {recursive: true});
  await session.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder});
  await page.click('#play-foot .save');
  for (let i = 0; i < 200; i++) {
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.kifu')) : [];
    if (files.length) {
      renameSync(join(folder, files[0]), join(plan.folder, name + '.played.kifu'));
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('nothing was downloaded');
}

// --- Each example: verifies, plays on as a variation, undo, redo, the computer, a save ---------------------------------

for (const name of plan.games) {
  await check(`plays ${name}`, async () => {
    const {page, close} = await open(name);
    const verdict = await textOf(page, '.verdict');
    assert.ok(verdict.includes('Verified'), verdict);
    assert.ok(verdict.includes(plan.pages[name].hash), verdict + ' and ' + plan.pages[name].hash);
    await start(page);
    assert.equal((await shown(page)).hash, plan.pages[name].hash);
    assert.equal(await problem(page), '');
    await page.click('#play-foot .leave');
    await start(page, plan.pages[name].from);
    const begin = await shown(page);
    for (let i = 0; i < 6 && !(await shown(page)).over; i++) {
      const before = await shown(page);
      assert.ok(before.moves + before.commands > 0);
      if (i % 2 && before.computer) await think(page);
      else {
        const moves = await page.$$('#play .move');
        await moves[(i * 7) % moves.length].click();
      }
      await settled(page);
      const wrong = await problem(page), after = await shown(page);
      if (!wrong) assert.notEqual(after.count, before.count);
      else assert.ok(before.commands && after.hash === before.hash, wrong);
    }
    const played = await shown(page);
    assert.ok(played.count > begin.count);
    let undone = 0;
    while ((await shown(page)).undo && undone < 3) {
      await page.click('#play-foot .undo');
      undone++;
    }
    for (let i = 0; i < undone; i++) await page.click('#play-foot .redo');
    assert.deepEqual((await shown(page)).hash, played.hash);
    await download(page, name);
    found[name] = await shown(page);
    await close();
  });
}

// --- Clicks and keys ---------------------------------------------------------------------------------------------------

await check('clicks reversi', async () => {
  const {page, close} = await open('reversi');
  await start(page, plan.pages.reversi.from);
  const before = await shown(page);
  const square = await page.evaluate(() => play.shown.moves[0][2].square);
  await page.hover('#play .move');
  assert.deepEqual(await page.$$eval('#play .hinted', (all) => all.map((each) => each.getAttribute('data-square'))), [String(square)]);
  await page.click(`#play .drawing [data-square="${square}"]`);
  await settled(page);
  assert.ok((await shown(page)).count > before.count);
  assert.ok((await textOf(page, '#play .played')).includes(`square ${square}`));
  await close();
});

await check('clicks chess', async () => {
  const {page, close} = await open('chess');
  await start(page, plan.pages.chess.from);
  const before = await shown(page);
  const click = async (square) => {
    await page.click(`#play .drawing [data-to="${square}"]`);
    await settled(page);
  };
  await click(12);
  assert.equal((await shown(page)).count, before.count);
  assert.equal(await page.$$eval('#play .move', (all) => all.length), 2);
  assert.equal(await page.$$eval('#play .picked', (all) => all.length), 1);
  await press(page, 'Escape');
  assert.equal(await page.$$eval('#play .move', (all) => all.length), 20);
  await click(12);
  await click(28);
  assert.match(await page.evaluate(() => play.shown.played[0][2]), /^chess.PMove, player [01]: from 12, to 28/);
  await click(50);
  await page.click('#play .drawing [data-to="10"]'); // Nothing goes there: all moves again.
  await settled(page);
  assert.equal(await page.$$eval('#play .move', (all) => all.length), 20);
  await close();
});

await check('keys', async () => {
  const {page, close} = await open('dungeon');
  await page.evaluate(() => view.go(lines.executed - 1));
  await settled(page);
  await press(page, 'p');
  assert.ok(await page.$eval('#play', (play) => !play.hidden));
  const before = await shown(page);
  await press(page, '.');
  const rested = await shown(page);
  assert.ok(rested.count > before.count, await problem(page));
  await press(page, 'ArrowLeft');
  assert.equal((await shown(page)).hash, before.hash);
  await press(page, 'ArrowRight');
  assert.equal((await shown(page)).hash, rested.hash);
  await press(page, 'g'); // Nothing lies there, or the pack has it: told in words, or done.
  assert.ok((await shown(page)).count > rested.count || (await problem(page)).length > 5);
  await press(page, 'ArrowDown');
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains('move')));
  await press(page, 'Escape');
  assert.ok(await page.$eval('#play', (play) => play.hidden));
  await close();
});

await check('filter', async () => {
  const {page, close} = await open('go');
  await start(page, plan.pages.go.from);
  const all = await page.$$eval('#play .move', (moves) => moves.length);
  assert.ok(all > 50);
  await press(page, '/');
  await page.keyboard.type('ppass');
  await settled(page);
  assert.equal(await page.$$eval('#play .move', (moves) => moves.length), 1);
  await press(page, 'Escape');
  await close();
});

await check('moves back to a move that was played', async () => {
  const {page, close} = await open('reversi');
  await start(page, plan.pages.reversi.from);
  const hashes = [];
  for (let i = 0; i < 3; i++) {
    await (await page.$('#play .move')).click();
    await settled(page);
    hashes.push((await shown(page)).hash);
  }
  await (await page.$('#play .played .link')).click();
  await settled(page);
  assert.equal((await shown(page)).hash, hashes[0]);
  assert.ok((await shown(page)).redo);
  await close();
});

// --- How it looks --------------------------------------------------------------------------------------------------------

for (const name of plan.games) {
  await check(`fits ${name}`, async () => {
    for (const size in SIZES) {
      for (const theme of plan.pictures ? ['light', 'dark'] : ['light']) {
        const {page, close} = await open(name, size, theme);
        const measure = () => page.evaluate(() => ({
          wide: document.documentElement.scrollWidth - innerWidth, high: document.documentElement.scrollHeight - innerHeight,
          tools: [...document.querySelectorAll('.tools > *, #play-foot > *, #play')].filter((part) =>
            part.getBoundingClientRect().right > innerWidth + 0.5).length,
          drawing: document.querySelector('#play .drawing').clientHeight,
          cut: document.querySelector('#play .drawing').scrollWidth - document.querySelector('#play .drawing').clientWidth,
          nameless: [...document.querySelectorAll('button, input')].filter((control) =>
            !(control.textContent.trim() || control.getAttribute('aria-label') || control.closest('label'))).length,
        }));
        const record = await measure();
        assert.ok(record.wide <= 0 && record.high <= 0 && !record.tools && !record.nameless, JSON.stringify([size, record]));
        await start(page);
        const playing = await measure();
        assert.ok(playing.wide <= 0 && playing.high <= 0 && !playing.tools && !playing.nameless && playing.cut <= 0, JSON.stringify([size, playing]));
        assert.ok(playing.drawing > 150, JSON.stringify([size, playing]));
        if (plan.pictures) await page.screenshot({path: `${plan.pictures}/play-${name}-${size}-${theme}.png`});
        await close();
      }
    }
  });
}

// --- What is wrong ---------------------------------------------------------------------------------------------------------

for (const [name, words] of Object.entries(plan.wrong)) {
  await check(name, async () => {
    const {page, close} = await open(name);
    const verdict = await textOf(page, '.verdict');
    for (const each of words) assert.ok(verdict.includes(each), verdict);
    if (verdict.includes('cannot be played on')) assert.ok(await page.$eval('.begin', (button) => button.disabled));
    await close();
  });
}

await check('an older version', async () => {
  const {page, close} = await open('older');
  await start(page);
  assert.equal(await problem(page), '');
  await page.click('#play-foot .undo');
  assert.ok((await shown(page)).moves > 0);
  await close();
});

// The module's memory is filled up, until not even a few bytes are left.
await check('out of memory', async () => {
  const {page, close} = await open('reversi', 'desktop', 'light', () => {
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...all) => {
      const made = await instantiate(...all);
      window.takeAll = () => {
        for (let size = 1 << 26; size >= 16; size = size >> 1) while (made.exports.malloc(size));
      };
      return made;
    };
  });
  await start(page, plan.pages.reversi.from);
  const before = await shown(page);
  await page.evaluate(() => window.takeAll());
  for (let i = 0; i < 3; i++) {
    await page.click('#play-foot .computer');
    await page.waitForFunction(() => !document.querySelector('#play-foot .place').textContent.startsWith('Thinking'));
    await settled(page);
  }
  assert.match(await problem(page), /memory/);
  assert.ok((await shown(page)).count >= before.count);
  await page.click('#play-foot .anew');
  await page.waitForFunction(() => play.opened && !document.querySelector('#play .problem'));
  assert.equal((await shown(page)).count, before.count);
  await (await page.$('#play .move')).click();
  assert.ok((await shown(page)).count > before.count);
  await close();
});

// A trap: nothing can be called any more, until the game is executed anew.
await check('a trap', async () => {
  const {page, close} = await open('reversi', 'desktop', 'light', () => {
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...all) => {
      const {exports} = await instantiate(...all);
      const move = () => { throw new WebAssembly.RuntimeError('unreachable'); };
      return {exports: window.traps === false ? exports : {...exports, kifu_web_move: move}};
    };
  });
  await start(page, plan.pages.reversi.from);
  await (await page.$('#play .move')).click();
  assert.match(await problem(page), /rules of the game failed \(unreachable\).*begin anew/);
  await page.click('#play-foot .undo');
  assert.match(await problem(page), /begin anew/);
  await page.evaluate(() => (window.traps = false));
  await page.click('#play-foot .anew');
  await page.waitForFunction(() => play.opened && !document.querySelector('#play .problem'));
  const before = await shown(page);
  await (await page.$('#play .move')).click();
  assert.ok((await shown(page)).count > before.count);
  await close();
});

await browser.close();
console.log(JSON.stringify({results, found}));
