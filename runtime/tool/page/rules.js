'use strict';
// The rules of the game, as WebAssembly, with the save that is in the page. What a call says is text in their memory.

const rules = (function makeRules() {
  const decoder = new TextDecoder(), encoder = new TextEncoder();
  let compiled = null, exports = null;

  function bytesIn(id) {
    const text = atob(JSON.parse(document.getElementById(id).textContent));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  }

  async function unpack(bytes) {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(plain).arrayBuffer();
  }

  // There is nothing here but a clock: no files, no threads.
  function imports(module) {
    const made = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module)) {
      made[from] = made[from] || {};
      made[from][name] = name === 'clock_time_get' ? clock : () => 52; // ENOSYS
    }
    return made;
  }

  function clock(...words) {
    const at = words[words.length - 1];
    new DataView(exports.memory.buffer).setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
    return 0;
  }

  function said() {
    return decoder.decode(new Uint8Array(exports.memory.buffer, exports.kifu_web_text(), exports.kifu_web_size()));
  }

  // Throws an Error with words of the library. After a trap nothing can be called any more.
  function call(name, ...words) {
    if (!exports) throw new Error('The rules have ended: begin anew.');
    let result;
    try {
      result = exports[name](...words);
    } catch (error) {
      exports = null;
      throw new Error(`The rules of the game failed (${error.message}). What was played since is lost: begin anew.`);
    }
    if (!result) return;
    const text = said();
    throw new Error((text && JSON.parse(text)) || 'There is not enough memory.');
  }

  // Puts bytes where the rules see them.
  function withBytes(bytes, use) {
    const at = exports ? exports.kifu_web_room(bytes.length || 1) : 0;
    if (!at) throw new Error(exports ? 'There is not enough memory for this game.' : 'The rules have ended: begin anew.');
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    try {
      return use(at, bytes.length);
    } finally {
      if (exports) exports.kifu_web_free(at);
    }
  }

  const names = () => (game.players || []).map((name) => (typeof name === 'string' ? name : ''));
  const withEnds = (texts) => encoder.encode(texts.map((text) => text.replaceAll('\0', ' ') + '\0').join('') + '\0');

  return {
    // Executes the save; says what was found.
    async open() {
      exports = null;
      if (!compiled) {
        try {
          compiled = await WebAssembly.compile(await unpack(bytesIn('module-data')));
        } catch (error) {
          throw new Error(`The rules in this page cannot be read: the page is damaged, or the browser too old (${error.message}).`);
        }
      }
      let save;
      try {
        save = bytesIn('save-data');
      } catch (error) {
        throw new Error(`The save in this page is damaged (${error.message}).`);
      }
      exports = (await WebAssembly.instantiate(compiled, imports(compiled))).exports;
      if (exports._initialize) exports._initialize();
      const [seed] = crypto.getRandomValues(new Uint32Array(1));
      withBytes(save, (at, size) => call('kifu_web_open', at, size, seed));
      return JSON.parse(said());
    },
    // How the game is now, with the events from number `from` on.
    show(from) {
      withBytes(withEnds(names()), (at) => call('kifu_web_show', from, at, names().length));
      return JSON.parse(said());
    },
    go: (line, events) => call('kifu_web_go', line, events),
    move: (number) => call('kifu_web_move', number),
    command: (number) => call('kifu_web_do', number),
    computer: () => call('kifu_web_computer'),
    undo: () => call('kifu_web_undo'),
    redo: () => call('kifu_web_redo'),
    // The bytes of a save.
    save() {
      const title = typeof game.title === 'string' ? game.title : '';
      withBytes(withEnds([title, ...names()]), (at) => call('kifu_web_save', at, names().length));
      return new Uint8Array(exports.memory.buffer, exports.kifu_web_saved(), exports.kifu_web_size()).slice();
    },
  };
})();
