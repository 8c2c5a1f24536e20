import type { EngineFile } from '#language-server/engine/messages.ts';
import type { Effects } from './effects.ts';

/** One attempt to escape from the realm. */
export interface EscapeCase {
  readonly name: string;
  readonly files: readonly EngineFile[];
}

const RETURN_PROCESS = `('return process')()`;

/** Paths from a value of the language to the process, in case the value is an object of the host. */
const IN_EXPRESSIONS: Readonly<Record<string, string>> = {
  'the compile context': `COMPILE_CONTEXT.constructor.constructor${RETURN_PROCESS}`,
  'the security context': `COMPILE_CONTEXT.securityContext.constructor.constructor${RETURN_PROCESS}`,
  'the compile context by index': `COMPILE_CONTEXT['constructor']['constructor']${RETURN_PROCESS}`,
  'the prototype of the compile context': `COMPILE_CONTEXT.__proto__.constructor.constructor${RETURN_PROCESS}`,
  'the helpers for SQL': `SQL_UTILS.constructor.constructor${RETURN_PROCESS}`,
  'a helper for SQL': `SQL_UTILS.convertTz.constructor${RETURN_PROCESS}`,
  'the own cube': `CUBE.constructor.constructor${RETURN_PROCESS}`,
  'the SQL of the own cube': `CUBE.sql.constructor.constructor${RETURN_PROCESS}`,
  'the name of a cube': `a.constructor.constructor${RETURN_PROCESS}`,
  'the parameters of filters': `FILTER_PARAMS.constructor.constructor${RETURN_PROCESS}`,
  'a filter': `FILTER_PARAMS.a.x.filter.constructor${RETURN_PROCESS}`,
  'the function of a filter': `FILTER_PARAMS.a.x.filter(lambda x: x.constructor.constructor${RETURN_PROCESS})`,
  'a group of filters': `FILTER_GROUP.constructor${RETURN_PROCESS}`,
  'the context of security': `SECURITY_CONTEXT.constructor.constructor${RETURN_PROCESS}`,
  'the context of users': `USER_CONTEXT.constructor.constructor${RETURN_PROCESS}`,
  'a function of the loader': `cube.constructor${RETURN_PROCESS}`,
  'the loader of modules': `require.constructor${RETURN_PROCESS}`,
  'asynchronous modules': `asyncModule.constructor${RETURN_PROCESS}`,
  'a list': `[].constructor.constructor${RETURN_PROCESS}`,
  'a text': `''.constructor.constructor${RETURN_PROCESS}`,
  'a global name': 'process',
  'the global object': 'globalThis.process',
};

/** Positions of expressions in a YAML model. */
const yamlPlaces: Readonly<Record<string, (expression: string) => string>> = {
  sql: (e) => `cubes:\n  - name: a\n    sql: "{${e}}"\n`,
  'dimension sql': (e) =>
    `cubes:\n  - name: a\n    sql_table: t\n    dimensions:\n      - {name: x, type: string, primary_key: true, sql: "{${e}}"}\n`,
  'measure filter': (e) =>
    `cubes:\n  - name: a\n    sql_table: t\n    measures:\n      - {name: n, type: count, filters: [{sql: "{${e}}"}]}\n`,
  join: (e) =>
    `cubes:\n  - name: a\n    sql_table: t\n    joins:\n      - {name: b, relationship: one_to_one, sql: "{${e}}"}\n    dimensions: [{name: x, type: string, sql: x, primary_key: true}]\n  - name: b\n    sql_table: t\n    dimensions: [{name: x, type: string, sql: x, primary_key: true}]\n`,
  description: (e) => `cubes:\n  - name: a\n    sql_table: t\n    description: "{${e}}"\n`,
  'policy condition': (e) =>
    `cubes:\n  - name: a\n    sql_table: t\n    access_policy:\n      - {group: '*', conditions: [{if: "{${e}}"}]}\n`,
  'refresh key': (e) => `cubes:\n  - name: a\n    sql_table: t\n    refresh_key: {sql: "{${e}}"}\n`,
};

/** JavaScript models. `use` acts on its argument if that is a process or something that loads modules. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'the function that makes cubes': `use(cube.constructor${RETURN_PROCESS});`,
  'the constructor of a constructor': `use(cube.constructor.constructor${RETURN_PROCESS});`,
  'the prototype of a function': `use(Object.getPrototypeOf(cube).constructor${RETURN_PROCESS});`,
  'what a function returns': `use(cube('b', { sql: 'x' }).constructor.constructor${RETURN_PROCESS});`,
  'the compile context': `use(COMPILE_CONTEXT.constructor.constructor${RETURN_PROCESS});`,
  'the global object': `use(globalThis.constructor.constructor${RETURN_PROCESS});`,
  'the value of this': `use((function () { return this; })().constructor.constructor${RETURN_PROCESS});`,
  'every global': `Object.getOwnPropertyNames(globalThis).forEach(function (name) {
    var found; try { found = globalThis[name].constructor.constructor${RETURN_PROCESS}; } catch (e) {} use(found); });`,
  'every symbol of the global object': `Object.getOwnPropertySymbols(globalThis).forEach(function (name) {
    var found; try { found = globalThis[name].constructor.constructor${RETURN_PROCESS}; } catch (e) {} use(found); });`,
  'the callers of a function': `(function walk() { var at = arguments.callee; for (var i = 0; i < 50 && at; i++) { at = at.caller;
    if (at) { try { use(at.constructor${RETURN_PROCESS}); } catch (e) { if (/ESCAPED/.test(e.message)) throw e; } } } })();`,
  'formatting of stack traces': `var found = []; Error.prepareStackTrace = function (e, sites) { found.push(sites); return sites; };
    try { null.x; } catch (e) { void e.stack; } void new Error('x').stack;
    found.forEach(function (sites) { use(sites.constructor.constructor${RETURN_PROCESS});
      sites.forEach(function (s) { var f = s.getFunction && s.getFunction(); if (f) use(f.constructor${RETURN_PROCESS});
        var t = s.getThis && s.getThis(); if (t) { use(t.process); use(t.constructor.constructor${RETURN_PROCESS}); } }); });`,
  'captured stack traces': `var o = {}; Error.stackTraceLimit = 100; Error.prepareStackTrace = function (e, s) { return s; };
    Error.captureStackTrace(o); (o.stack || []).forEach && o.stack.forEach(function (s) {
      use(s.constructor.constructor${RETURN_PROCESS}); var t = s.getThis(); if (t) use(t.process || t); });`,
  'stack traces of another Error': `var E = Error; globalThis.Error = function () {}; Error.prepareStackTrace = function (e, s) {
    use(s.constructor.constructor${RETURN_PROCESS}); return s; }; void new E('x').stack; globalThis.Error = E;`,
  'an overflow of the stack': `var seen = []; (function deep() { try { deep(); } catch (e) { seen.push(e); } })();
    seen.forEach(function (e) { use(e.constructor.constructor${RETURN_PROCESS}); });`,
  'an overflow while a stack is formatted': `var seen = []; Error.prepareStackTrace = function () { return 1; };
    (function deep() { try { void new Error('x').stack; deep(); } catch (e) { if (!(e instanceof Error)) use(e.constructor.constructor${RETURN_PROCESS}); } })();`,
  'the error of a wrong call': `try { cube(); } catch (e) { use(e.constructor.constructor${RETURN_PROCESS}); }`,
  'the error of a loader': `try { require('../../x'); } catch (e) { use(e.constructor.constructor${RETURN_PROCESS}); }`,
  'the error of a syntax': `try { Function('}{'); } catch (e) { use(e.constructor.constructor${RETURN_PROCESS}); }`,
  'the error of a long string': `try { 'x'.repeat(2 ** 30); } catch (e) { use(e.constructor.constructor${RETURN_PROCESS}); }`,
  'require of fs': `use(require('fs')); use(require);`,
  'require of node:child_process': `use(require('node:child_process'));`,
  'require of a file': `require('../../../../../../etc/passwd');`,
  'require of a package': `use(require('moment').constructor.constructor${RETURN_PROCESS});`,
  'the main module': `use(require.main); use(module); use(process.mainModule);`,
  'import()': `import('fs').then(function (m) { use(function () { return m; }); });`,
  'the promise of import()': `use(import('fs').constructor.constructor${RETURN_PROCESS});`,
  'the error of import()': `asyncModule(function () { return import('fs').catch(function (e) { use(e.constructor.constructor${RETURN_PROCESS}); }); });`,
  'import() in made code': `var made; try { made = Function("return import('fs')")(); } catch (e) {}
    if (made) { use(made.constructor.constructor${RETURN_PROCESS}); throw new Error('ESCAPED a promise of the host'); }`,
  'import() in evaluated code': `var made; try { made = (0, eval)("import('fs')"); } catch (e) {}
    if (made) throw new Error('ESCAPED a promise of the host');`,
  'import() in an asynchronous function': `var A = (async function () {}).constructor; var made; try { made = A("return import('fs')"); } catch (e) {}
    if (made) throw new Error('ESCAPED code with import()');`,
  'import() in a generator': `var G = (function* () {}).constructor; var made; try { made = G("yield import('fs')"); } catch (e) {}
    if (made) throw new Error('ESCAPED code with import()');`,
  'import() behind a changed gate': `RegExp.prototype.exec = function () { return null; }; RegExp.prototype.test = function () { return false; };
    String.prototype.indexOf = function () { return -1; }; Function.prototype.toString = function () { return ''; };
    var made; try { made = Function("return import('fs')"); } catch (e) {} if (made) throw new Error('ESCAPED code with import()');`,
  'import() behind a changed parser': `Array.prototype.push = function () { return 0; }; String.prototype.charCodeAt = function () { return 32; };
    String.prototype.slice = function () { return ''; };
    var made; try { made = Function("/* import */ return import('fs')"); } catch (e) {} if (made) throw new Error('ESCAPED code with import()');`,
  'import() from changed text': `var times = 0; var text = { toString: function () { return times++ ? "return import('fs')" : ''; } };
    var made; try { made = Function(text); made = Function(text); } catch (e) {} if (/import/.test(String(made))) throw new Error('ESCAPED code with import()');`,
  'import() by reflection': `var made; try { made = Reflect.construct(Function, ["return import('fs')"]); } catch (e) {}
    if (made) throw new Error('ESCAPED code with import()');`,
  'an evaluation': `use((0, eval)('typeof process === "object" && process'));`,
  'a generator': `use((function* () {}).constructor.constructor${RETURN_PROCESS});`,
  'an asynchronous function': `asyncModule(async function () { use((async function () {}).constructor.constructor${RETURN_PROCESS}); });`,
  'an asynchronous module': `asyncModule(async function () { await null; use(asyncModule.constructor${RETURN_PROCESS}); cube('b', { sql: 'x' }); });`,
  'the promise of a module': `asyncModule(function () { var p = Promise.resolve(); return { then: function (ok, no) {
    use(ok.constructor${RETURN_PROCESS}); use(no.constructor${RETURN_PROCESS}); ok(); } }; });`,
  'a rejected promise': `Promise.reject(new Proxy({}, { get: function (t, k) { if (k === 'constructor') use(arguments.callee.caller); return undefined; } }));`,
  'a rejection with a getter': `var e = new Error('x'); Object.defineProperty(e, 'stack', { get: function () { use(arguments.callee.caller); return 1; } }); Promise.reject(e);`,
  'a thrown proxy': `throw new Proxy(function () {}, { get: function (t, k, r) { use(this.constructor.constructor${RETURN_PROCESS});
    return typeof k === 'symbol' ? undefined : t[k]; }, apply: function (t, self, args) { use(args.constructor.constructor${RETURN_PROCESS}); } });`,
  'a thrown object with getters': `throw { get message() { use(this.constructor.constructor${RETURN_PROCESS}); return 'x'; }, get stack() { return { toString: function () { use(arguments.callee.caller); return 'x'; } }; } };`,
  'a thrown function': `throw function thrown() { use(arguments.callee.caller); };`,
  'a thrown null': `throw null;`,
  'a thrown symbol': `throw Symbol('x');`,
  'an error that inspects itself': `var e = new Error('x'); e[Symbol.for('nodejs.util.inspect.custom')] = function (depth, options, inspect) { use(inspect.constructor${RETURN_PROCESS}); }; throw e;`,
  'a message that is an object': `throw Object.assign(new Error('x'), { message: { toString: function () { use(arguments.callee.caller); return 'x'; } } });`,
  'a cube with getters': `cube('b', { get sql() { use(arguments.callee.caller); return 'x'; } });`,
  'a cube that is a proxy': `cube('b', new Proxy({ sql: 'x' }, { get: function (t, k, r) { use(r.constructor && r.constructor.constructor && r.constructor.constructor${RETURN_PROCESS}); return t[k]; },
    ownKeys: function (t) { return Reflect.ownKeys(t); } }));`,
  'a name that changes': `var n = 0; cube({ toString: function () { use(arguments.callee.caller); return 'b' + n++; } }, { sql: 'x' });`,
  'a primitive that is asked for': `cube('b', { sql: function () { return { [Symbol.toPrimitive]: function () { use(arguments.callee.caller); return 'x'; } }; } });`,
  'functions of SQL': `cube('b', { sql: function () { use(arguments.callee.caller); use(this && this.constructor && this.constructor.constructor${RETURN_PROCESS}); return 'x'; },
    dimensions: { x: { type: 'string', primaryKey: true, sql: function (CUBE) { use(CUBE.constructor.constructor${RETURN_PROCESS}); return 'x'; } } } });`,
  'the function of a filter':
    "cube('b', { sql: `select ${FILTER_PARAMS.b.x.filter(function (v) { use(v.constructor.constructor('return process')()); return v; })}`, dimensions: { x: { sql: 'x', type: 'string' } } });",
  'symbols of iteration': `Array.prototype[Symbol.iterator] = function () { use(this.constructor.constructor${RETURN_PROCESS}); return [][Symbol.iterator](); };`,
  'a polluted prototype': `Object.prototype.env = { NODE_OPTIONS: '--require /tmp/x' }; Object.prototype.shell = '/bin/sh'; Object.prototype.ok = true;
    Object.prototype.__defineGetter__('then', function () { use(this.constructor.constructor${RETURN_PROCESS}); });`,
  'a polluted toJSON': `Object.prototype.toJSON = function () { use(this.constructor.constructor${RETURN_PROCESS}); return 'ESCAPE'; };`,
  'a polluted array': `Array.prototype.map = function () { use(this.constructor.constructor${RETURN_PROCESS}); return ['polluted']; };`,
  'a polluted promise': `Promise.prototype.then = function (ok) { use(ok.constructor${RETURN_PROCESS}); return this; };`,
  'a replaced entry': `try { Object.defineProperty(globalThis, 'modelbench', { value: { start: function (q) { use(arguments.callee.caller); }, take: function () { return { toString: function () { return 'ESCAPED'; } }; } } }); } catch (e) {}`,
  'the entry itself': `use(modelbench.start.constructor${RETURN_PROCESS}); use(modelbench.take.constructor.constructor${RETURN_PROCESS});`,
  'the console': `use(console.log.constructor${RETURN_PROCESS});`,
  timers: `use(setTimeout.constructor${RETURN_PROCESS}); setTimeout(function () { use(this.constructor.constructor${RETURN_PROCESS}); });`,
  microtasks: `queueMicrotask(function () { use(arguments.callee.caller); });`,
  'structured clones': `use(structuredClone({}).constructor.constructor${RETURN_PROCESS});`,
  'a finalization registry': `new FinalizationRegistry(function (held) { use(arguments.callee.caller); }).register({}, 1);`,
  'a weak reference': `use(new WeakRef({}).constructor.constructor${RETURN_PROCESS});`,
  WebAssembly: `var m = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); use(m.constructor.constructor${RETURN_PROCESS});`,
  'the error of WebAssembly': `WebAssembly.compileStreaming(1).catch(function (e) { use(e.constructor.constructor${RETURN_PROCESS}); });`,
  'shared memory': `new SharedArrayBuffer(8); Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(8)), 0, 0).value.then(function (v) { use(v.constructor.constructor${RETURN_PROCESS}); });`,
  'a request': `fetch('http://127.0.0.1/'); new WebSocket('ws://127.0.0.1/');`,
  'bindings of Node': `use(process.binding('fs')); use(process._linkedBinding); use(process.dlopen);`,
  'a built-in module': `use(process); use(process.getBuiltinModule('module'));`,
  'a species': `class A extends Promise { static get [Symbol.species]() { use(arguments.callee && arguments.callee.caller); return Promise; } } asyncModule(function () { return A.resolve(1); });`,
  'a tagged template': "function tag(s) { use(s.raw.constructor.constructor('return process')()); return s; } tag`x`;",
  'a getter up the chain': `var at = cube; for (var i = 0; i < 10 && at; i++) { try { use(at.__lookupGetter__('__proto__').constructor${RETURN_PROCESS}); } catch (e) { if (/ESCAPED/.test(e.message)) throw e; } at = at.__proto__; }`,
  'exports of a model': `addExport({ get x() { use(arguments.callee.caller); return 1; } }); setExport(new Proxy({}, { ownKeys: function () { use(arguments.callee.caller); return []; } }));`,
  'a context': `context('c', { contextMembers: function () { use(arguments.callee.caller); return []; } });`,
  'the helper of an iterator': `Iterator.from({ next: function () { use(arguments.callee.caller); use(this.constructor.constructor${RETURN_PROCESS}); return { done: true }; } }).toArray();`,
  'a list of promises': `Array.fromAsync({ get [Symbol.asyncIterator]() { use(arguments.callee.caller); return undefined; } }).catch(function (e) { use(e.constructor.constructor${RETURN_PROCESS}); });`,
  'a promise that tries': `Promise.try(function () { use(arguments.callee.caller); throw { get then() { use(arguments.callee.caller); return undefined; } }; });`,
  'a language of Intl': `use(new Intl.Collator(undefined, { get usage() { use(arguments.callee.caller); return 'sort'; } }).compare.constructor${RETURN_PROCESS});`,
  'a realm of shadows': `use(new ShadowRealm().evaluate('globalThis.process'));`,
  'a scope that is a proxy': `with (new Proxy({}, { has: function (t, k) { use(arguments.callee.caller); return false; }, get: function (t, k) { use(k.constructor.constructor${RETURN_PROCESS}); return undefined; } })) { cube('c', { sql: 'x' }); }`,
  'code of a text': `use(new Function('return globalThis.process')()); use((0, eval)('globalThis.process')); use(Reflect.construct(Function, ['return process'])());`,
  'code of a text in a comment': `use(new Function('/*', '*/) { return process; //')());`,
  'the replacer of a text': `JSON.stringify({ a: 1 }, function (k, v) { use(arguments.callee.caller); use(this.constructor.constructor${RETURN_PROCESS}); return v; });`,
  'a resource that is disposed of': `var stack = new DisposableStack(); stack.defer(function () { use(arguments.callee.caller); }); stack.dispose();`,
  'a cube that is a promise': `cube('b', { then: function (resolve) { use(resolve.constructor${RETURN_PROCESS}); use(arguments.callee.caller); } });`,
  'a cube named by an object': `cube({ toString: function () { use(arguments.callee.caller); return 'b'; }, [Symbol.toPrimitive]: function () { use(arguments.callee.caller); return 'b'; } }, { sql: 'x' });`,
};

/** Templates and Python. */
const TEMPLATES: Readonly<Record<string, (effects: Effects) => readonly EngineFile[]>> = {
  'the classes of Python': () => template(`{{ [].__class__.__mro__[1].__subclasses__() }}`),
  'the globals of a template': () => template(`{{ self.__init__.__globals__ }}{{ cycler.__init__.__globals__.os }}`),
  'the constructor of the context': () => template(`{{ COMPILE_CONTEXT.constructor.constructor('return process')() }}`),
  'the constructor of a function': () => template(`{{ range.constructor('return process')() }}`),
  'a filter as a function': () => template(`{{ 'x' | safe | attr('constructor') }}`),
  'a filter over attributes': () => template(`{{ [range] | map(attribute='constructor.constructor') | list }}`),
  'the state of the template': () => template(`{{ debug() }}{{ self.constructor.constructor('return process')() }}`),
  'a function of Jinja': () =>
    template(
      `{{ lipsum.__globals__['os'].environ }}{{ joiner.__init__.__globals__ }}{{ namespace.constructor('return process')() }}`,
    ),
  'a file from outside': ({ secretFile }) => template(`{% include '${secretFile}' %}`),
  'a file by import': ({ secretFile }) => template(`{% import '${secretFile}' as x %}{{ x }}`),
  'a file by inheritance': ({ secretFile }) => template(`{% extends '${secretFile}' %}`),
  'the environment': () => template(`{{ env_var('ESCAPE_SECRET') }}`),
  'the environment of the process': () => template(`{{ env.ESCAPE_SECRET }}{{ process.env.ESCAPE_SECRET }}`),
  'an expression that a template writes': (effects) =>
    template(
      `{{ "{" }}${effects.act('an expression that a template writes', `COMPILE_CONTEXT.constructor.constructor${RETURN_PROCESS}`)}{{ "}" }}`,
    ),
  'globals in Python': ({ secretFile }) => [
    {
      fileName: 'globals.py',
      content: `import os\nopen(${JSON.stringify(`${secretFile}.py`)}, 'w').write(os.environ['ESCAPE_SECRET'])\n`,
    },
    ...template(`{{ leak() }}`),
  ],
};

function template(text: string): readonly EngineFile[] {
  return [{ fileName: 'a.yml.jinja', content: `cubes:\n  - name: a\n    sql: "${text}"\n` }];
}

/** Returns every attempt, with the given observable effects. */
export function escapeCases(effects: Effects): readonly EscapeCase[] {
  const yaml = Object.entries(IN_EXPRESSIONS).map(([what, expression]) =>
    yamlCase(effects, `YAML: ${what}`, expression, 'dimension sql'),
  );
  const places = Object.keys(yamlPlaces).map((place) =>
    yamlCase(effects, `YAML in ${place}`, `COMPILE_CONTEXT.constructor.constructor${RETURN_PROCESS}`, place),
  );
  const scripts = Object.entries(SCRIPTS).map(([what, code]) => {
    const name = `script: ${what}`;
    return { name, files: [{ fileName: 'a.js', content: `${effects.use(name)}${code}\ncube('a', { sql: 'x' });\n` }] };
  });
  const templates = Object.entries(TEMPLATES).map(([what, files]) => ({
    name: `template: ${what}`,
    files: files(effects),
  }));
  return [...yaml, ...places, ...scripts, ...templates];
}

function yamlCase(effects: Effects, name: string, expression: string, place: string): EscapeCase {
  const content = yamlPlaces[place]?.(effects.act(name, expression)) ?? '';
  return { name, files: [{ fileName: 'a.yml', content }] };
}
