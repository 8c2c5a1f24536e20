import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { type EngineOptions, engineProcess } from '#language-server/engine/engine-process.ts';
import type { EngineFile } from '#language-server/engine/messages.ts';
import type { Engine } from '#language-server/host.ts';
import { yaml } from '#support/language/raw.ts';
import { bundledEngine } from '../../../support/bundled-engine.ts';
import { type EscapeCase, escapeCases } from '../../../support/escapes/cases.ts';
import { watchEffects } from '../../../support/escapes/effects.ts';
import { unguardedEngine } from '../../../support/unguarded-engine.ts';

const bundled = await bundledEngine();
const { folder, options, remove } = bundled;
const effects = await watchEffects();
const cases = escapeCases(effects);
/** An engine with the usual limits, which has to work whatever became of another one. */
const healthy = engineProcess(options);
/** It starts again after each model that needs too much, and then waits for the next one. */
const narrow = engineProcess({ ...options, heapMb: 150 });
afterAll(() => {
  effects.close();
  remove();
});

const GOOD: readonly EngineFile[] = [
  {
    fileName: 'a.yml',
    content: yaml`
      cubes:
        - name: a
          sql_table: t
    `,
  },
];

/** A change of a built-in stays in its realm, so such a case has one of its own. */
const needsOwnRealm = ({ name }: EscapeCase): boolean =>
  /polluted|changed|symbols of iteration|formatting|another Error/.test(name);

/**
 * All that the cases achieve with an engine. Those with an own realm come first: two models stay warm, and to start the realm of the
 * others again takes a core-second each time.
 */
async function breachesOf(engine: Engine, tried = cases): Promise<readonly string[]> {
  const found: string[] = [];
  const alone = tried.filter(needsOwnRealm);
  const together = tried.filter((each) => !needsOwnRealm(each));
  for (const each of [...alone, ...together]) {
    const { name, files } = each;
    const root = needsOwnRealm(each) ? name : 'model';
    const said = await engine.check(root, files).then(
      (errors) => JSON.stringify(errors),
      (error: unknown) => String(error),
    );
    found.push(...effects.breaches(name, said));
  }
  return found;
}

describe('a model in the sandbox', () => {
  it('does not get out of its realm', async () => {
    const engine = engineProcess(options);
    expect(cases.length).toBeGreaterThan(100);
    expect(await breachesOf(engine)).toEqual([]);
    expect(await engine.check('model', GOOD)).toEqual([]);
  });

  it('sees no variable of the environment and no file of the process that started it', async () => {
    process.env['ESCAPE_SECRET'] = effects.environment['ESCAPE_SECRET'];
    try {
      const attempts = cases.filter(({ name }) => /bindings|built-in module|every global|environment/.test(name));
      expect(attempts.length).toBeGreaterThan(4);
      expect(await breachesOf(engineProcess(options), attempts)).toEqual([]);
    } finally {
      delete process.env['ESCAPE_SECRET'];
    }
  });

  it.each([
    ['a loop', 'for (;;);'],
    ['a loop of promises', '(function again() { Promise.resolve().then(again); })();'],
    ['an asynchronous module that never ends', 'asyncModule(async function () { for (;;) await null; });'],
    ['a regular expression', "/^(a+)+$/.test('a'.repeat(100) + 'b');"],
    ['a loop in a getter of an error', 'throw { get message() { for (;;); } };'],
  ])('ends after a time: %s', async (_, code) => {
    const engine = engineProcess({ ...options, limitMs: 500 });
    await expect(engine.check('m', [{ fileName: 'a.js', content: code }])).rejects.toThrow('took too long');
    expect(await healthy.check('m', GOOD)).toEqual([]);
  });

  it.each([
    ['lists', 'var all = []; for (;;) all.push(new Array(1e5).fill(all.length));'],
    ['texts', "var all = []; for (;;) all.push(('x' + all.length).repeat(1e6).split(''));"],
    ['maps', 'var all = new Map(); for (var i = 0; ; i++) all.set({ i: i }, new Map([[i, i]]));'],
    ['numbers', 'var all = []; for (;;) all.push(1n << BigInt(2e7 + all.length));'],
  ])('ends when it needs too much memory: %s', async (_, code) => {
    const outcome = narrow.check('m', [{ fileName: 'a.js', content: code }]).then(
      (errors) => errors.map(({ message }) => message).join(),
      (error: unknown) => String(error),
    );
    expect(await outcome).toMatch(/too much memory|Map maximum size/);
    expect(await narrow.check('m', GOOD)).toEqual([]);
  });

  it('holds no memory outside of the limit: there are no buffers', async () => {
    const names = [
      'ArrayBuffer',
      'Uint8Array',
      'SharedArrayBuffer',
      'WebAssembly',
      'DataView',
      'Atomics',
      'Float64Array',
    ];
    const content = `throw new Error([${names.map((name) => `typeof ${name}`).join()}].join());`;
    const [error] = await healthy.check('m', [{ fileName: 'a.js', content }]);
    expect(error?.message).toContain(names.map(() => 'undefined').join());
  });

  it('ends when a template needs too much memory or time', async () => {
    const big = `{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}`;
    const long = `${'{% for i in range(99999) %}'.repeat(4)}{% endfor %}{% endfor %}{% endfor %}{% endfor %}`;
    const engine = engineProcess({ ...options, limitMs: 3000 });
    for (const content of [big, long]) {
      const outcome = engine.check('m', [{ fileName: 'a.yml.jinja', content }]).then(
        (errors) => (errors.length > 0 ? 'refused' : 'accepted'),
        () => 'ended',
      );
      expect(await outcome).toMatch(/refused|ended/);
      expect(await healthy.check('m', GOOD)).toEqual([]);
    }
  });

  it('cannot change what another model gets', async () => {
    const content = `Array.prototype.push = function () { return 0; }; left = 1; globalThis.cube = 1;`;
    await healthy.check('one', [{ fileName: 'a.js', content }]);
    const errors = await healthy.check('m', [{ fileName: 'a.js', content: 'throw new Error(typeof left);' }]);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('undefined')]);
  });
});

describe('the escape suite', () => {
  const environment = { ...process.env, ...effects.environment };
  const plain: EngineOptions['launch'] = ({ program }) =>
    spawn(process.execPath, [program], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
  /** Cases that would only wait, because a weak program answers them never. */
  const quick = cases.filter(({ name }) => !/promise|asynchronous|import\(\)|replaced entry/.test(name));

  it('finds out a realm with one function of the host', async () => {
    const program = join(folder, 'weak.mjs');
    const entryPoints = ['test/support/escapes/weak-program.ts'];
    await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm' });
    const tried = quick.filter(({ name }) => /every global|compile context/.test(name));
    const found = await breachesOf(engineProcess({ ...options, program, launch: plain }), tried);
    expect(found).toEqual(expect.arrayContaining(['script: every global: reached the process']));
  });

  it('finds out a compiler that runs models in the process that it runs in', async () => {
    const unguarded = await unguardedEngine(bundled, environment);
    // A part of them shows it: such a process answers some cases never, and to start one for each realm shows nothing more.
    const tried = quick
      .filter((each) => !needsOwnRealm(each))
      .filter(({ name }, at) => name.startsWith('YAML') || at % 4 === 0 || /makes cubes/.test(name));
    const found = await breachesOf(engineProcess(unguarded), tried);
    expect(found).toContain('YAML: the compile context: wrote a file');
    expect(found).toContain('YAML in description: wrote a file');
    expect(found).toContain('script: the function that makes cubes: read a secret');
    expect(found.length).toBeGreaterThan(20);
  });
});
