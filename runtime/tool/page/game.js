'use strict';
// The game, and how its parts are called. Whatever comes from a save becomes text, never HTML.

const game = JSON.parse(document.getElementById('game-data').textContent);

// An event is [type, flags, player, how far back its cause is, fields].
const TYPE = 0, FLAGS = 1, PLAYER = 2, BACK = 3, FIELDS = 4;
const UNDOABLE = 1, CONTINUES = 2, RANDOM = 8, REVEALS = 16;

// The events of the line that is shown, with those of its ancestors before it.
let events = game.events;
let count = events.length;

function causeOf(event) {
  const back = events[event][BACK];
  return back ? event - back : -1;
}

function isUndone(event) {
  return event >= lines.executed;
}

function isBarrier(event) {
  return !(events[event][FLAGS] & UNDOABLE);
}

function beginsChain(event) {
  return event === 0 || !(events[event][FLAGS] & CONTINUES);
}

// The first event of the chain that one undo takes back, and the one behind its last.
function chainOf(event) {
  let from = event, to = event + 1;
  while (!beginsChain(from)) from--;
  while (to < count && !beginsChain(to)) to++;
  return [from, to];
}

// --- Causes ---------------------------------------------------------------------------------------------------------

// How many causes stand behind each event, and what each caused: those of event e lie in `caused` from
// `causedFrom[e]` on.
let depths, causedFrom, caused;

function findCauses() {
  depths = new Uint16Array(count);
  causedFrom = new Uint32Array(count + 1);
  caused = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const cause = causeOf(i);
    if (cause < 0) continue;
    depths[i] = Math.min(depths[cause] + 1, 65535);
    causedFrom[cause + 1]++;
  }
  for (let i = 0; i < count; i++) causedFrom[i + 1] += causedFrom[i];
  const next = causedFrom.slice();
  for (let i = 0; i < count; i++) {
    if (causeOf(i) >= 0) caused[next[causeOf(i)]++] = i;
  }
}

// --- Clocks ---------------------------------------------------------------------------------------------------------

// Seconds of thought, where an event has a field that looks like a clock's; -1: none.
let thoughts;
const CLOCK = new RegExp('^(seconds|secs|(milliseconds|millis|ms)|' +
  '(think|thinking|thought|elapsed|time_taken|time_used|time_spent)(_time)?' +
  '(_seconds|_secs|_s|(_ms|_millis|_milliseconds))?)$', 'i');

let longThought = Infinity;

function findThoughts() {
  thoughts = new Float32Array(count).fill(-1);
  const clocks = new Map(); // By name: what one unit is in seconds; 0: no clock.
  const all = [];
  for (let i = 0; i < count; i++) {
    const event = events[i];
    if (event[PLAYER] < 0 || !event[FIELDS]) continue;
    for (const name in event[FIELDS]) {
      if (!clocks.has(name)) {
        const match = CLOCK.exec(name);
        clocks.set(name, !match ? 0 : match[2] || match[6] ? 0.001 : 1);
      }
      const unit = clocks.get(name), value = event[FIELDS][name];
      if (!unit || typeof value !== 'number' || value < 0) continue;
      thoughts[i] = value * unit;
      all.push(thoughts[i]);
      break;
    }
  }
  all.sort((a, b) => a - b);
  // Long is four times as long as usual, and at least two seconds.
  longThought = all.length && all[all.length - 1] > 0 ? Math.max(2, 4 * all[all.length >> 1]) : Infinity;
}

function isLongThought(event) {
  return thoughts[event] >= longThought;
}

function secondsText(seconds) {
  if (seconds < 60) return (seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)) + ' s';
  return Math.floor(seconds / 60) + ' min ' + Math.round(seconds % 60) + ' s';
}

// --- Words ----------------------------------------------------------------------------------------------------------

function playerName(player) {
  const name = game.players && game.players[player];
  return typeof name === 'string' && name ? visible(name) : 'Player ' + player;
}

// "reversi.PPlace" is ["reversi.", "PPlace"].
function typeWords(event) {
  const name = visible(game.types[events[event][TYPE]]);
  const dot = name.lastIndexOf('.') + 1;
  return [name.slice(0, dot), name.slice(dot)];
}

// Nobody sees control characters, nor what turns the direction of text: they are written as escapes.
function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'));
}

// A value as one line of at most about `most` characters. The number of a field that is called so is a colour, 0xRRGGBB.
function valueText(value, most, name) {
  if (typeof value === 'string') {
    const shown = visible(value.length > most ? value.slice(0, most) + '\u2026' : value);
    return shown || '\u201c\u201d';
  }
  if (typeof value === 'number' && /(^|[._])colou?r$/.test(name))
    return '0x' + value.toString(16).toUpperCase().padStart(6, '0');
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = [];
  let size = 0;
  for (const key in value) {
    if (size > most) {
      parts.push('\u2026');
      break;
    }
    const part = (isList ? '' : visible(key) + ' ') + valueText(value[key], most - size, key);
    parts.push(part);
    size += part.length + 2;
  }
  return (isList ? '[' : '{') + parts.join(', ') + (isList ? ']' : '}');
}

function fieldsText(event, most) {
  const fields = events[event][FIELDS];
  return fields ? valueText(fields, most).slice(1, -1) : '';
}

// As many characters, and an ellipsis if there are more.
function cut(text, most) {
  return text.length > most ? text.slice(0, most - 1).trimEnd() + '\u2026' : text;
}

// --- Set-up, colours ------------------------------------------------------------------------------------------------

// So many events come before the first move of a player; 0 if a player begins.
const setUp = Math.max(0, game.events.findIndex((event) => event[PLAYER] >= 0));

// The colours that the players chose when they joined, as [red, green, blue]; those of the page, where they chose none or
// all the same.
const ownColours = (function findColours() {
  let found = [];
  for (const event of game.events) {
    const name = game.types[event[TYPE]], colour = event[FIELDS] && event[FIELDS].color;
    if (name === 'kifu.EResetGame') found = [];
    if (name === 'kifu.EAddPlayer') found.push(Number.isInteger(colour) ? colour & 0xffffff : 0);
  }
  if (new Set(found).size < found.length) return [];
  return found.map((colour) => [colour >> 16, colour >> 8 & 255, colour & 255]);
})();

function luminance(colour) {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function parseColour(text) {
  return [1, 3, 5].map((at) => parseInt(text.trim().slice(at, at + 2), 16));
}

// A player's colour as CSS has it; null: of the page. On paper of another colour it can be seen.
function playerColour(player, paper) {
  let colour = ownColours[player];
  if (!colour) return null;
  const away = paper && luminance(paper) > 0.2 ? 0 : 255;
  for (let i = 0; i < 8 && paper && contrast(colour, paper) < 1.6; i++)
    colour = colour.map((part) => Math.round(part + (away - part) / 6));
  return 'rgb(' + colour.join(', ') + ')';
}

// --- Elements -------------------------------------------------------------------------------------------------------

// An element with text and children.
function make(tag, name, text, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined && text !== null) element.textContent = text;
  element.append(...children);
  return element;
}

// Text with what stands between backticks as code.
function withCode(text) {
  return text.split('`').map((part, i) => (i % 2 ? make('code', '', part) : part));
}

// A colour is never the only sign: the badge has the player's number, and each sign a shape and a word.
function badge(player) {
  const element = make('span', 'badge', String(player));
  element.dataset.hue = player % 8;
  if (ownColours[player]) {
    element.classList.add('own');
    element.style.background = playerColour(player, null);
    element.style.color = luminance(ownColours[player]) > 0.2 ? '#000000' : '#ffffff';
  }
  element.title = playerName(player);
  return element;
}

const SIGNS = {
  barrier: ['cannot be undone', 'M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z'],
  random: ['drew random numbers', 'M8 1l7 7-7 7-7-7zM8 6.4A1.6 1.6 0 1 0 8 9.6 1.6 1.6 0 1 0 8 6.4z'],
  reveals: ['showed something hidden', 'M8 3c4 0 7 5 7 5s-3 5-7 5-7-5-7-5 3-5 7-5zm0 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5z'],
  thought: ['long thought', 'M8 1a7 7 0 1 0 0 14A7 7 0 1 0 8 1zm1 2.5V8h3.5v2H7V3.5z'],
  parts: ['lines part here', 'M4 1h2v5.5C6.5 5.6 8 5 10 5V3l4 3-4 3V7c-3 0-4 1.5-4 4v4H4z'],
  note: ['has a note', 'M2 2h12v9H8l-4 4v-4H2z'],
  undone: ['was undone', 'M6 2L1 7l5 5V9h4a2.5 2.5 0 0 1 0 5H7v2h3a4.5 4.5 0 0 0 0-9H6z'],
};

function signsOf(event) {
  const flags = events[event][FLAGS];
  const names = [];
  if (isUndone(event)) names.push('undone');
  if (isBarrier(event)) names.push('barrier');
  if (flags & RANDOM) names.push('random');
  if (flags & REVEALS) names.push('reveals');
  if (isLongThought(event)) names.push('thought');
  if (lines.notesAt(event)) names.push('note');
  if (lines.partsBehind(event)) names.push('parts');
  return names;
}

function sign(name) {
  const SVG = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  picture.setAttribute('viewBox', '0 0 16 16');
  picture.setAttribute('class', 'sign sign-' + name);
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', SIGNS[name][0]);
  const title = document.createElementNS(SVG, 'title');
  title.textContent = SIGNS[name][0];
  path.setAttribute('d', SIGNS[name][1]);
  path.setAttribute('fill-rule', 'evenodd');
  picture.append(title, path);
  return picture;
}
