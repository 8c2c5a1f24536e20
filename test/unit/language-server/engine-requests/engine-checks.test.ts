import { describe, expect, it } from 'vitest';
import { contentHash } from '#base/content-hash.ts';
import type { Engine } from '#language-server/host.ts';
import {
  type CompileAnswer,
  type CompileQuestion,
  defaultLanguageSettings,
  type EngineReport,
  type LanguageSettings,
  mayCompile,
} from '#features/language/messages.ts';
import { FakeEngine, onSave, ORDERS, orders, started } from '#support/language/fake-engine.ts';
import { ROOT, type Session } from '#support/language/session.ts';
import { jinja, yaml } from '#support/language/raw.ts';

const TEMPLATE = jinja`
  cubes:
  {% for x in y %}
    - name: {{ x | shout }}
      sql_table: t
  {% endfor %}
`;

function save(session: Session, uri: string): Promise<void> {
  return session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
}

function check(session: Session, uri: string): Promise<EngineReport> {
  return session.client.sendRequest<EngineReport>('modelbench/engineCheck', { uri });
}

/** The codes and marked lines of the next diagnostics of a closed or open file. */
function next(session: Session, uri: string, version: number | undefined): Promise<string[]> {
  session.diagnostics.delete(uri);
  return session
    .diagnosticsOf(uri, version)
    .then((found) =>
      found.map(
        ({ code, range, message }) =>
          `${code} ${range.start.line} ${typeof message === 'string' ? message : message.value}`,
      ),
    );
}

describe('the check by the engine', () => {
  // @shows engine-check (server)
  it('follows a save, marks the item, and takes the mark back when the item is edited', async () => {
    const engine = new FakeEngine();
    engine.errors = [{ message: 'orders cube: "dimensions.status.sql" is strange' }];
    const session = await started(engine);
    const uri = await session.open('orders.yml');
    expect(await session.diagnosticsOf(uri, 1)).toEqual([]);
    const marked = next(session, uri, 1);
    await save(session, uri);
    expect(await marked).toEqual(['engine 8 "dimensions.status.sql" is strange']);
    expect(engine.asked[0]).toEqual([{ fileName: 'orders.yml', content: ORDERS }]);
    // Another cube of the file: the mark stays. The marked one: it goes.
    const change = (version: number, line: number): Promise<void> => {
      const at = { line, character: 16 };
      const contentChanges = [{ range: { start: at, end: at }, text: 'x' }];
      return session.client.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges,
      });
    };
    const stays = next(session, uri, 2);
    await change(2, 11);
    expect(await stays).toHaveLength(1);
    const goes = next(session, uri, 3);
    await change(3, 8);
    expect(await goes).toEqual([]);
    session.dispose();
  });

  // @shows cancellation (server)
  it('marks nothing that was edited while the engine worked', async () => {
    let release: () => void = () => undefined;
    const engine: Engine = {
      canCompile: () => true,
      check: () =>
        new Promise((resolve) => {
          release = () => resolve([{ message: 'orders cube: "dimensions.status.sql" is strange' }]);
        }),
    };
    const session = await started(engine);
    const uri = await session.open('orders.yml');
    const report = check(session, uri);
    const at = { line: 8, character: 14 };
    const contentChanges = [{ range: { start: at, end: at }, text: 'x' }];
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges,
    });
    await session.request('textDocument/documentSymbol', uri);
    release();
    expect(await report).toEqual({ state: 'refused', errors: 1 });
    await session.request('textDocument/documentSymbol', uri);
    expect(await session.diagnosticsOf(uri, 2)).toEqual([]);
    session.dispose();
  });

  // @shows engine-check (server)
  it('says nothing twice: where an error of ours stands in the member, the engine is silent', async () => {
    const engine = new FakeEngine();
    engine.errors = [
      { message: 'orders cube: "dimensions.id.nope" is not allowed' },
      { message: 'orders cube: "dimensions.status.sql" is strange' },
    ];
    const text = ORDERS.replace(
      'sql: id\n',
      yaml`
        sql: id
                nope: 1
      `,
    );
    const session = await started(engine, { 'orders.yml': text });
    await session.diagnosticsOf(orders, undefined);
    const found = next(session, orders, undefined);
    expect(await check(session, orders)).toEqual({ state: 'refused', errors: 2 });
    expect(await found).toEqual([
      'unknown-key 6 A dimension has no key `nope`.',
      'engine 9 "dimensions.status.sql" is strange',
    ]);
    session.dispose();
  });

  it('keeps an error without a place to itself where one of ours says it, and else says that it has none', async () => {
    const engine = new FakeEngine();
    engine.errors = [{ message: 'bad indentation (3:4)\n\n 1 | cubes:\n 2 |   - name: b' }];
    const broken = await started(engine, {
      'a.yml': ORDERS,
      'b.yml': yaml`
        cubes:
          - name: b
           sql: x
      `,
    });
    await broken.diagnosticsOf(`${ROOT}/b.yml`, undefined);
    await check(broken, `${ROOT}/a.yml`);
    await broken.client.sendRequest('workspace/symbol', { query: '' });
    expect(broken.diagnostics.get(`${ROOT}/a.yml`)).toBeUndefined();
    broken.dispose();
    const session = await started(engine);
    const found = session.diagnosticsOf(orders, undefined);
    await check(session, orders);
    expect((await found)[0]?.message).toBe('bad indentation (3:4) (the engine does not say where in the model)');
    session.dispose();
  });

  it('leaves out what follows from another error: a refused cube is missing for all that join to it', async () => {
    const engine = new FakeEngine();
    const consequence = { message: "users cube: Cube orders doesn't exist" };
    engine.errors = [consequence, { message: 'orders cube: "dimensions.status.sql" is strange' }];
    const session = await started(engine);
    const found = session.diagnosticsOf(orders, undefined);
    expect(await check(session, orders)).toEqual({ state: 'refused', errors: 1 });
    expect((await found).map(({ message }) => message)).toEqual(['"dimensions.status.sql" is strange']);
    // Alone it is reported all the same: something is wrong.
    engine.errors = [consequence];
    expect(await check(session, orders)).toEqual({ state: 'refused', errors: 1 });
    session.dispose();
  });

  it('puts an error that names nothing at the start of its file, and obeys the severity of its code', async () => {
    const engine = new FakeEngine();
    engine.errors = [{ message: 'Something is off', fileName: 'orders.yml' }];
    const settings: LanguageSettings = { ...onSave, severity: { engine: 'hint' } };
    const session = await started(engine, { 'a.yml': 'cubes: []\n', 'orders.yml': ORDERS }, settings);
    const found = session.diagnosticsOf(orders, undefined);
    await check(session, orders);
    expect((await found).map(({ severity, message, range }) => [severity, message, range.start.line])).toEqual([
      [4, 'Something is off', 1],
    ]);
    session.dispose();
  });

  it('puts what a script throws in the script, whatever cubes the message names', async () => {
    const engine = new FakeEngine();
    engine.errors = [{ message: "No table for 'orders': orders.status is not allowed", fileName: 'products.js' }];
    const session = await started(engine, {
      'orders.yml': ORDERS,
      'products.js': "cube('products', { sql_table: 't' });\n",
    });
    const found = session.diagnosticsOf(`${ROOT}/products.js`, undefined);
    await check(session, orders);
    expect((await found).map(({ message }) => message)).toEqual([
      "No table for 'orders': orders.status is not allowed",
    ]);
    session.dispose();
  });

  it('compiles no model whose expressions lead into the compiler, whatever is switched off', async () => {
    const engine = new FakeEngine();
    const evil = ORDERS.replace(
      'cubes:',
      yaml`
        # modelbench-ignore-file: code-in-expression
        cubes:`,
    ).concat('    description: "{COMPILE_CONTEXT.constructor}"\n');
    const session = await started(engine, { 'orders.yml': evil });
    expect(await check(session, orders)).toEqual({
      state: 'skipped',
      reason: 'An expression names `constructor`, which is not part of the data-model language.',
    });
    expect(engine.asked).toEqual([]);
  });

  it('asks the client before it compiles, and says why it did not', async () => {
    const engine = new FakeEngine();
    const session = await started(
      engine,
      { 'orders.yml': ORDERS, 'more.js': '' },
      { ...onSave, asksBeforeCompiling: true },
    );
    const asked: CompileQuestion[] = [];
    let answer: CompileAnswer = { may: false, reason: 'one file is new.' };
    session.client.onRequest<CompileAnswer, void>(mayCompile, (question: CompileQuestion) => {
      asked.push(question);
      return answer;
    });
    expect(await check(session, orders)).toEqual({ state: 'skipped', reason: 'one file is new.' });
    expect(engine.asked).toEqual([]);
    answer = { may: true };
    expect(await check(session, orders)).toEqual({ state: 'accepted' });
    expect(asked[0]).toMatchInlineSnapshot(`
      {
        "byCommand": true,
        "files": [
          {
            "hash": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4",
            "uri": "memory:///model/more.js",
          },
          {
            "hash": "ec6d4d3fc2d7c6fbf76a56805d776a13633a065b",
            "uri": "memory:///model/orders.yml",
          },
        ],
        "hasScripts": true,
        "root": "memory:///model",
      }
    `);
    expect(asked[0]?.files.find(({ uri }) => uri === orders)?.hash).toBe(await contentHash(ORDERS));
  });

  it('compiles nothing when the client does not answer', async () => {
    const engine = new FakeEngine();
    const session = await started(engine, { 'orders.yml': ORDERS }, { ...onSave, asksBeforeCompiling: true });
    expect(await check(session, orders)).toMatchInlineSnapshot(`
      {
        "reason": "VS Code did not confirm that it may run.",
        "state": "skipped",
      }
    `);
    expect(engine.asked).toEqual([]);
  });

  // @shows engine-check (server)
  it('leaves huge models and templates alone, and does a huge one when it is asked to', async () => {
    const engine = new FakeEngine();
    const small: LanguageSettings = { ...onSave, engineCheckLimit: 0 };
    const session = await started(engine, { 'orders.yml': ORDERS }, small);
    const uri = await session.open('orders.yml');
    const told = new Promise<EngineReport | undefined>((resolve) => {
      session.client.onNotification('modelbench/status', (status: { engine?: EngineReport }) => resolve(status.engine));
    });
    await save(session, uri);
    expect(await told).toEqual({
      state: 'skipped',
      reason: 'The model is larger than 0 KB: it is compiled only by command.',
    });
    expect(engine.asked).toEqual([]);
    expect(await check(session, uri)).toEqual({ state: 'accepted' });
    session.dispose();
    const python = await started(engine, {
      'globals.py': "c = TemplateContext()\nc.add_variable('x', 1)\n",
      'a.yml.jinja': TEMPLATE,
    });
    expect(await check(python, `${ROOT}/a.yml.jinja`)).toMatchInlineSnapshot(`
      {
        "reason": "Templates that use Python or the environment are compiled by the platform only.",
        "state": "skipped",
      }
    `);
    python.dispose();
  });

  // @shows templates
  it('compiles the rest of a model of which only the platform can render some templates', async () => {
    const engine = new FakeEngine();
    const session = await started(engine, {
      'globals.py': "c = TemplateContext()\nc.add_variable('sources', [])\n",
      'python.yml.jinja': jinja`
        {% from "macros.jinja" import x %}
        cubes:
        {% for s in sources %}
          - name: {{ s }}
        {% endfor %}
      `,
      'importer.yml.jinja': jinja`
        {% import "python.yml.jinja" as p %}
        cubes: []
      `,
      'known.yml.jinja': TEMPLATE.replace(' in y', " in ['a']").replace('shout', 'upper'),
      'orders.yml': ORDERS,
    });
    engine.errors = [
      { message: 'orders cube: "dimensions.status.sql" is strange' },
      { message: "orders cube: Cube events doesn't exist" },
      { message: 'orders cube: events.id cannot be resolved' },
      { message: 'events is not defined', fileName: 'orders.yml' },
    ];
    const found = session.diagnosticsOf(orders, undefined);
    expect(await check(session, orders)).toEqual({ state: 'refused', errors: 1, omitted: 2 });
    expect(engine.asked[0]?.map(({ fileName }) => fileName).sort()).toEqual(['known.yml.jinja', 'orders.yml']);
    expect((await found).map(({ message }) => message)).toEqual(['"dimensions.status.sql" is strange']);
    session.dispose();
  });

  it('marks the line of a template that the engine quotes, without the listing', async () => {
    const engine = new FakeEngine();
    engine.errors = [
      {
        message: jinja`
          unknown filter: shout (in a.yml.jinja:3)
          -------- a.yml.jinja ----
             3 > {{ x | shout }}`,
      },
    ];
    const uri = `${ROOT}/a.yml.jinja`;
    // A filter that only the engine refuses.
    const session = await started(engine, { 'a.yml.jinja': TEMPLATE.replace('shout', 'format') });
    const found = session.diagnosticsOf(uri, undefined);
    await check(session, uri);
    const [problem] = (await found).filter(({ code }) => code === 'engine');
    expect(problem?.message).toBe('unknown filter: shout (in a.yml.jinja:3)');
    expect(problem?.range.start).toEqual({ line: 2, character: 0 });
    session.dispose();
  });

  it('compiles the model of a folder', async () => {
    const session = await started(new FakeEngine(), { 'orders.yml': ORDERS });
    expect(await check(session, ROOT)).toEqual({ state: 'accepted' });
    session.dispose();
  });

  it('needs an engine, the setting and a document of a model', async () => {
    const engine = new FakeEngine();
    const off = await started(engine, { 'orders.yml': ORDERS }, defaultLanguageSettings);
    expect(await check(off, orders)).toMatchInlineSnapshot(`
      {
        "reason": "The engine check is off here.",
        "state": "skipped",
      }
    `);
    expect(await check(off, 'untitled:none')).toMatchInlineSnapshot(`
      {
        "reason": "This is not part of a data model.",
        "state": "skipped",
      }
    `);
    expect(engine.asked).toEqual([]);
    off.dispose();
  });

  it('continues after the engine failed', async () => {
    let isBroken = true;
    const engine: Engine = {
      canCompile: () => true,
      check: async () => {
        if (isBroken) throw new Error('out of memory');
        return [];
      },
    };
    const session = await started(engine);
    expect(await check(session, orders)).toMatchInlineSnapshot(`
      {
        "reason": "The engine failed; see the log for the reason.",
        "state": "skipped",
      }
    `);
    isBroken = false;
    expect(await check(session, orders)).toEqual({ state: 'accepted' });
    session.dispose();
  });

  it('checks again after saves that came meanwhile, however many', async () => {
    const releases: (() => void)[] = [];
    let started2: () => void = () => undefined;
    const engine: Engine = {
      canCompile: () => true,
      check: () =>
        new Promise((resolve) => {
          releases.push(() => resolve([]));
          started2();
        }),
    };
    const session = await started(engine);
    const uri = await session.open('orders.yml');
    const begun = (): Promise<void> => new Promise((resolve) => (started2 = resolve));
    let waiting = begun();
    await save(session, uri);
    await waiting;
    for (let count = 0; count < 3; count++) await save(session, uri);
    // The server has read the saves when it answers what was asked behind them.
    await session.request('textDocument/documentSymbol', uri);
    waiting = begun();
    releases[0]?.();
    await waiting;
    const reported = new Promise<void>((resolve) =>
      session.client.onNotification('modelbench/status', () => resolve()),
    );
    releases[1]?.();
    await reported;
    await session.request('textDocument/documentSymbol', uri);
    expect(releases.length).toBe(2);
    session.dispose();
  });

  it.each([
    ["Package 'lodash' not found", 'lodash'],
    ["'../fetch' restricted", '../fetch'],
    ["Path 'stripe-schema.js' not found", 'stripe-schema.js'],
  ])('says nothing of a model whose script asks for what is not here: %s', async (message, name) => {
    const engine = new FakeEngine();
    engine.errors = [{ message }];
    const session = await started(engine);
    const uri = await session.open('orders.yml');
    const reason = `A script uses \`${name}\`, which exists only on the platform.`;
    expect(await check(session, uri)).toEqual({ state: 'skipped', reason });
    session.dispose();
  });
});
