import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { nextTurn } from '#base/async.ts';
import { type EngineOptions, engineProcess } from '#language-server/engine/engine-process.ts';
import type { EngineFile } from '#language-server/engine/messages.ts';
import type { Engine } from '#language-server/host.ts';
import { precise } from '#language-server/engine/realm/details.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { bundleServer } from '#support/bundled-server.ts';
import { bundledEngine } from '../../../support/bundled-engine.ts';
import { filesIn, jinja, yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { mistakesIn, recordVerdicts, TEMPLATED_MODELS } from '#support/language/templated-models.ts';

const MATRIX = 'test/fixtures/corpora/error-matrix';

/** A small model, and whether the whole engine accepted it. */
interface Verdict {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly accepted: boolean;
}
const { cases: verdicts } = JSON.parse(readFileSync('test/fixtures/language/verdicts.json', 'utf8')) as {
  readonly cases: readonly Verdict[];
};

/** Ten at a time, each with the name of its first. */
const tens = (all: readonly Verdict[]): readonly (readonly [string, readonly Verdict[]])[] =>
  all.flatMap((first, at) => (at % 10 === 0 ? [[first.name, all.slice(at, at + 10)] as const] : []));

const { folder, options, remove } = await bundledEngine();
afterAll(remove);

function modelOf(root: string): EngineFile[] {
  return globSync(`${root}/**/*`)
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ fileName: path.slice(root.length + 1), content: readFileSync(path, 'utf8') }));
}

const CUSTOMERS = yaml`
  cubes:
    - name: customers
      sql_table: c
`;

describe('the bundled engine', () => {
  const engine = engineProcess(options);

  // @shows errors-of-the-engine (server)
  it('names the file whose script threw an error', async () => {
    const files = [
      { fileName: 'customers.yml', content: CUSTOMERS },
      { fileName: 'products.js', content: "throw new Error('boom');\n" },
    ];
    expect(await engine.check(ROOT, files)).toEqual([
      { message: 'boom', fileName: 'products.js', line: 1, isThrown: true },
    ]);
  });

  it.each([
    ['a text', { 'products.js': "throw 'boom';\n" }],
    ['an object', { 'products.js': "throw { message: 'boom' };\n" }],
    ['from a function that it calls', { 'products.js': "const f = () => { throw new Error('boom'); };\nf();\n" }],
    [
      'from a function of another file',
      {
        'lib.js': "export const f = () => { throw new Error('boom'); };\n",
        'products.js': "import { f } from './lib.js';\nf();\n",
      },
    ],
    ['later', { 'products.js': "asyncModule(async () => { throw new Error('boom'); });\n" }],
    ['in a definition', { 'products.js': "cube('p', { sql: 's', title: (() => { throw new Error('boom'); })() });\n" }],
  ])('names the file of an error that a script throws: %s', async (_, scripts) => {
    const files = Object.entries({ 'customers.yml': CUSTOMERS, ...scripts });
    const found = await engine.check(
      ROOT,
      files.map(([fileName, content]) => ({ fileName, content })),
    );
    expect(found.map(({ message, fileName }) => [message, fileName])).toEqual([['boom', 'products.js']]);
  });

  // With RECORD set it judges all of them and writes the fixture.
  it.each(Object.keys(TEMPLATED_MODELS))('judges mistakes in %s as recorded', async (name) => {
    const verdictOn = async (text: string): Promise<boolean> => {
      const files = [...filesIn(text)].map(([fileName, content]) => ({ fileName, content }));
      return (await engine.check(ROOT, files)).length === 0;
    };
    expect(await verdictOn(TEMPLATED_MODELS[name] ?? '')).toBe(true);
    const mistakes = mistakesIn(name);
    const isRecording = process.env['RECORD'] !== undefined;
    const judged = isRecording ? mistakes : mistakes.filter((_, at) => at % 12 === 0);
    const verdicts: Record<string, boolean> = {};
    for (const { line, text } of judged) verdicts[line] = await verdictOn(text);
    if (isRecording) recordVerdicts(name, verdicts);
    const known = Object.fromEntries(judged.map(({ line, accepted }) => [line, accepted]));
    expect(verdicts).toEqual(isRecording ? verdicts : known);
  });

  // @shows engine-check
  it.each([
    ['unknown-dim-key', ['orders cube: "dimensions.x.foo" is not allowed']],
    ['dim-no-type', ['orders cube: "dimensions.x.type" is required']],
    ['measure-no-sql', ['orders cube: "measures.x.sql" is required']],
    ['bad-ref-bare', ['nope is not defined']],
    ['join-unknown-cube', ["orders cube: Cube nousers doesn't exist"]],
    ['view-no-includes', ['v cube: "cubes[0].includes" is required']],
    ['unknown-top-key', ["Unexpected YAML key: foo. Only 'cubes', 'views', and 'view_groups' are allowed here."]],
    [
      'js-dup-key',
      [
        [
          'Syntax Error: Duplicate property parsing count',
          '> 1 | cube(`x`, { sql: `select 1`, measures: { count: { type: `count` }, count: {sql: `a`, type: `sum`} } });',
          `    |${' '.repeat(67)}^^^^^ Duplicate property parsing count`,
        ].join('\n'),
      ],
    ],
    ['ok', []],
  ])('says what is wrong with %s, by its path', async (name, messages) => {
    const errors = await engine.check(ROOT, modelOf(`${MATRIX}/${name}/model`));
    expect(errors.map(({ message }) => message)).toEqual(messages);
  });

  it('accepts the word of a statement that is refused in code', async () => {
    const content = 'cubes:\n  - name: a\n    sql_table: import\n    description: an import of eval\n';
    expect(await engine.check(ROOT, [{ fileName: 'a.yml', content }])).toEqual([]);
  });

  // @shows scripts (server)
  it('says nothing of a script that was mended', async () => {
    const check = async (content: string): Promise<string[]> => {
      const errors = await engine.check(ROOT, [{ fileName: 'a.js', content }]);
      return errors.map(({ message }) => message.split('\n')[0] ?? '');
    };
    const good = "cube('a', { sql: 'x' });";
    expect(await check(`import * as b from 'B';\n${good}`)).toEqual([
      "Syntax Error: 'ImportNamespaceSpecifier' import not supported",
    ]);
    expect(await check(good)).toEqual([]);
    expect(await check("cube('a', { sql: `${USER_CONTEXT.b.filter('x')}` });")).toEqual([
      'Support for USER_CONTEXT was removed, please migrate to SECURITY_CONTEXT.',
    ]);
    expect(await check(good)).toEqual([]);
  });

  it('renders templates, on the library that the platform uses', async () => {
    const template = (type: string): EngineFile[] => [
      {
        fileName: 'cubes/a.yml.jinja',
        content: jinja`
          cubes:
          {%- for n in ['a', 'b'] %}
            - name: {{ n }}
              sql_table: t
              dimensions:
                - name: x
                  sql: x
                  type: ${type}
          {%- endfor %}
        `,
      },
    ];
    expect(await engine.check(ROOT, template('string'))).toEqual([]);
    const errors = await engine.check(ROOT, template('strin'));
    expect(errors.map(({ message }) => message.slice(0, 29))).toEqual([
      'a cube: "dimensions.x.type" m',
      'b cube: "dimensions.x.type" m',
    ]);
    const [broken] = await engine.check(ROOT, template('string {% if %}'));
    expect(broken?.message).toMatchInlineSnapshot(`
      "syntax error: unexpected end of block (in cubes/a.yml.jinja:8)
      --------------------------------- a.yml.jinja ---------------------------------
         5 |     dimensions:
         6 |       - name: x
         7 |         sql: x
         8 >         type: string {% if %}
           i                            ^^ syntax error
         9 | {%- endfor %}
      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      No referenced variables
      -------------------------------------------------------------------------------"
    `);
  });

  it.each(tens(verdicts))('gives the verdict that the whole engine gave, from “%s” on', async (_, models) => {
    const different: string[] = [];
    for (const { name, file, text, accepted } of models) {
      const errors = await engine.check(ROOT, [{ fileName: file, content: text }]);
      if (accepted !== (errors.length === 0)) different.push(`${name}: ${errors[0]?.message ?? 'accepted'}`);
    }
    expect(different).toEqual([]);
  });

  it('has verdicts of many models to be compared with', () => {
    expect(verdicts.length).toBeGreaterThan(180);
  });

  it('adds nothing to what we say ourselves of the faulty models that we know', async () => {
    const here = { ...engine, canCompile: () => true };
    const settings = { ...defaultLanguageSettings, engineCheck: 'onCommand' } as const;
    const added: string[] = [];
    const names = readdirSync(MATRIX, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of names) {
      const files = modelOf(`${MATRIX}/${name}/model`);
      const texts = Object.fromEntries(files.map(({ fileName, content }) => [fileName, content]));
      const session = await Session.start(texts, { settings }, [], here);
      const [first] = files;
      await session.client.sendRequest('modelbench/engineCheck', { uri: `${ROOT}/${first?.fileName ?? ''}` });
      // The server checks everything again before it answers what is asked after that.
      for (let turn = 0; turn < 3; turn++) await session.client.sendRequest('workspace/symbol', { query: 'zzz' });
      for (const { uri, diagnostics } of session.diagnostics.values())
        for (const { code, message } of diagnostics)
          if (code === 'engine') added.push(`${name} ${uri.slice(ROOT.length + 1)}: ${JSON.stringify(message)}`);
      session.dispose();
    }
    expect(names.length).toBeGreaterThan(30);
    expect(added).toEqual([]);
  });

  it('stays small, with everything that it needs', () => {
    expect(statSync(options.bundle).size).toBeLessThan(3_000_000);
  });

  it('keeps the errors of one model from the next, and says them again', async () => {
    const faulty = modelOf(`${MATRIX}/dup-dim/model`);
    const first = await engine.check(ROOT, faulty);
    expect(first).toMatchInlineSnapshot(`
      [
        {
          "fileName": "cubes/orders.yml",
          "message": "Member names must be unique within a cube. Found duplicate dimension 'status' in cube 'orders'.",
        },
      ]
    `);
    expect(await engine.check(ROOT, modelOf(`${MATRIX}/ok/model`))).toEqual([]);
    expect(await engine.check(ROOT, faulty)).toEqual(first);
  });
});

describe('the bundled server with the engine beside it', () => {
  it('compiles a folder of this disk after a save, and marks what the engine refuses', async () => {
    const root = join(folder, 'model');
    mkdirSync(root);
    const text = "cube(`computed`, { sql: `select 1`, measures: { rows: { type: ['coun'].join('') } } });\n";
    writeFileSync(join(root, 'computed.js'), text);
    const bundle = join(folder, 'language-server.js');
    await bundleServer(folder);
    const settings = { ...defaultLanguageSettings, engineCheck: 'onSave' } as const;
    const session = await Session.spawn(bundle, {}, { roots: [pathToFileURL(root).href], settings });
    try {
      const uri = await session.open(pathToFileURL(join(root, 'computed.js')).href, text);
      expect(await session.diagnosticsOf(uri, 1)).toEqual([]);
      session.diagnostics.delete(uri);
      const marked = session.diagnosticsOf(uri, 1);
      await session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
      const [problem] = await marked;
      expect([problem?.code, problem?.severity]).toEqual(['engine', 1]);
      expect(text.slice(problem?.range.start.character, problem?.range.end.character)).toBe('type');
    } finally {
      session.dispose();
    }
  });
});

describe('the process of the engine', () => {
  /** An engine whose realm answers as the text says: `files` is what was sent. */
  function engineOf(body: string, more: Partial<EngineOptions> = {}): Engine {
    const bundle = join(folder, `${randomUUID()}.js`);
    writeFileSync(
      bundle,
      `let files; globalThis.modelbench = { start: (text) => { ({ files } = JSON.parse(text)); ${body} }, take: () => answer }; let answer = '';`,
    );
    return engineProcess({ ...options, bundle, ...more });
  }

  // @shows restart (server)
  it('starts again after it died', async () => {
    const engine = engineOf(
      `if (files.length === 0) for (let all = [];;) all.push('x'.repeat(1000) + all.length);
      answer = JSON.stringify({ ok: true, value: [{ message: files[0].content }] });`,
      { heapMb: 64 },
    );
    await expect(engine.check(ROOT, [])).rejects.toThrow('too much memory');
    expect(await engine.check(ROOT, [{ fileName: 'a', content: 'alive' }])).toEqual([{ message: 'alive' }]);
  });

  it('gives up a compilation that does not end', async () => {
    await expect(engineOf('for (;;);', { limitMs: 50 }).check(ROOT, [])).rejects.toThrow('too long');
  });

  it('distinguishes a failure of the engine from one of the model', async () => {
    const engine = engineOf(`answer = JSON.stringify({ ok: false, reason: 'no' });`);
    await expect(engine.check(ROOT, [])).rejects.toThrow('no');
  });

  it.each([
    ['an object', 'answer = { toString: () => "[]" };'],
    ['nothing', ''],
    ['an error', 'throw new Error("mine");'],
    ['a wrong shape', 'answer = JSON.stringify({ ok: true, value: 1 });'],
  ])('takes %s for no answer', async (_, body) => {
    await expect(engineOf(body).check(ROOT, [])).rejects.toThrow('no answer');
  });

  it('keeps models apart and at most two of them warm', async () => {
    const engine = engineOf(`globalThis.n = (globalThis.n ?? 0) + 1;
      answer = JSON.stringify({ ok: true, value: [{ message: String(n) }] });`);
    const count = async (root: string): Promise<string | undefined> => (await engine.check(root, []))[0]?.message;
    expect([await count('a'), await count('b'), await count('a'), await count('b')]).toEqual(['1', '1', '2', '2']);
    expect([await count('c'), await count('b'), await count('a')]).toEqual(['1', '3', '1']);
  });

  it('judges proposed models beside them: ended by a signal, and started again', async () => {
    const engine = engineOf(`globalThis.n = (globalThis.n ?? 0) + 1;
      if (files.length > 0) for (;;);
      answer = JSON.stringify({ ok: true, value: [{ message: String(n) }] });`);
    const count = async (signal?: AbortSignal): Promise<string | undefined> =>
      (await engine.check('a', [], signal))[0]?.message;
    const quiet = new AbortController().signal;
    expect([await count(), await count(quiet), await count(), await count(quiet)]).toEqual(['1', '1', '2', '2']);
    const cancel = new AbortController();
    const endless = engine.check('a', [{ fileName: 'a', content: '' }], cancel.signal);
    await nextTurn();
    cancel.abort();
    await expect(endless).rejects.toThrow('aborted');
    expect([await count(), await count(quiet)]).toEqual(['3', '1']);
    await expect(engine.check('a', [], cancel.signal)).rejects.toThrow('aborted');
  });

  it('gives up one check of a proposal only, whether it runs or waits, and leaves the others their answer', async () => {
    const engine = engineOf(`if (files.length > 0) for (;;); answer = JSON.stringify({ ok: true, value: [] });`);
    const [runs, waits, quiet] = [new AbortController(), new AbortController(), new AbortController().signal];
    const endless = engine.check('a', [{ fileName: 'a', content: '' }], runs.signal);
    const late = engine.check('a', [], waits.signal);
    const wanted = [engine.check('a', [], quiet), engine.check('b', [], quiet)];
    waits.abort();
    await expect(late).rejects.toThrow('aborted');
    runs.abort();
    await expect(endless).rejects.toThrow('aborted');
    expect(await Promise.all(wanted)).toEqual([[], []]);
  });

  it('ends no check that runs when more models are asked about than stay warm', async () => {
    const engine = engineOf(`answer = JSON.stringify({ ok: true, value: [] });`);
    const quiet = new AbortController().signal;
    const all = ['a', 'b', 'c', 'd'].flatMap((root) => [engine.check(root, []), engine.check(root, [], quiet)]);
    expect(await Promise.all(all)).toEqual(all.map(() => []));
  });

  it('compiles models of this disk only', () => {
    const engine = engineProcess(options);
    expect(engine.canCompile('file:///m/model')).toBe(true);
    expect(engine.canCompile('modelbench://1.a/main/model')).toBe(false);
  });
});

describe('a finding among alternatives', () => {
  it('says what most of them share, else the deepest', () => {
    const leaf = (type: string, path: readonly string[]) => ({ type, path, message: `"${path.join('.')}" ${type}` });
    const many = [leaf('any.required', ['d', 'x', 'sql']), leaf('any.only', ['d', 'x', 'type'])];
    const context = { details: [...many, leaf('any.only', ['d', 'x', 'type']), leaf('object.unknown', ['d'])] };
    expect(precise({ message: 'wall', type: 'alternatives.match', path: ['d', 'x'], context })).toBe(
      '"d.x.type" any.only',
    );
    expect(precise({ message: 'is bad', type: 'custom', path: ['a', 0] })).toBe('(a.0) is bad');
  });
});
