import { afterAll, describe, expect, it } from 'vitest';
import type { DocumentDiagnosticReport } from 'vscode-languageserver';
import { engineProcess } from '#language-server/engine/engine-process.ts';
import type { Engine } from '#language-server/host.ts';
import { onSave } from '#support/language/fake-engine.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { bundledEngine } from '../../../support/bundled-engine.ts';

const { options, remove } = await bundledEngine();
afterAll(remove);
const real = engineProcess(options);
const engine: Engine = { canCompile: () => true, check: (_, files) => real.check(ROOT, files) };

type Files = Readonly<Record<string, string>>;

/** A sound cube in the first file of each model, where an error without a position must not go. */
const FIRST = yaml`
  cubes:
    - name: customers
      sql_table: c
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: city, sql: city, type: string}
`;

/** Returns the errors of each file after the engine has checked the model, with their lines as a user counts them. */
async function errorsOf(given: Files): Promise<readonly string[]> {
  const files = { 'a_first.yml': FIRST, ...given };
  const session = await Session.start(
    files,
    { settings: onSave },
    [],
    engine,
    {},
    { textDocument: { diagnostic: {} } },
  );
  await session.client.sendRequest('modelbench/engineCheck', { uri: ROOT });
  const found: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const uri = await session.open(path);
    const report = await session.request<DocumentDiagnosticReport>('textDocument/diagnostic', uri);
    for (const { range, message, severity } of 'items' in report ? report.items : [])
      if (severity === 1) found.push(`${path}: ${text.split('\n')[range.start.line]?.trim()} → ${message as string}`);
  }
  session.dispose();
  return found;
}

/** Scripts that stop while they run, with the line where. */
const SCRIPTS: Readonly<Record<string, readonly [text: string, line: string, message: string]>> = {
  'a property of nothing': [
    js`
      const settings = undefined;

      const name = settings.name;
    `,
    'const name = settings.name;',
    "Cannot read properties of undefined (reading 'name')",
  ],
  'in a function that another one calls': [
    js`
      function first(row) {
        return row.cells.first;
      }
      function all() {
        const found = first({});
        return found;
      }

      all();
    `,
    'return row.cells.first;',
    "Cannot read properties of undefined (reading 'first')",
  ],
  'after a function has returned': [
    js`
      const tables = () => {
        const none = {};
        return none;
      };
      const name =
        tables().orders.name;
    `,
    'const name =',
    "Cannot read properties of undefined (reading 'name')",
  ],
  'in a callback': [
    js`
      const tables = [{ name: 'b', of: { schema: 'x' } }, { name: 'c' }];
      tables.forEach((table) => {
        const { schema } = table.of;
        cube(table.name, { sql_table: schema });
      });
    `,
    'const { schema } = table.of;',
    "Cannot destructure property 'schema' of 'table.of' as it is undefined.",
  ],
  'in a getter': [
    js`
      const none = {};
      cube('b', {
        sql_table: 'b',
        get title() {
          return none.of.title;
        },
      });
    `,
    'return none.of.title;',
    "Cannot read properties of undefined (reading 'title')",
  ],
  'in a constructor, with words of another cube': [
    js`
      class Check {
        constructor(all) {
          if (Date.now() > 0) throw new Error(\`\${Object.keys(all)} cube: "dimensions.city.sql" is required\`);
        }
      }
      new Check({ customers: 1 });
    `,
    'if (Date.now() > 0) throw new Error(`${Object.keys(all)} cube: "dimensions.city.sql" is required`);',
    'customers cube: "dimensions.city.sql" is required',
  ],
  'in a switch, after an error that was caught': [
    js`
      const none = {};
      try {
        none.a.b();
      } catch {
        none.caught = true;
      }
      switch (none.caught) {
        case true:
          none.c.d();
      }
    `,
    'none.c.d();',
    "Cannot read properties of undefined (reading 'd')",
  ],
  'by a call without an end': [
    js`
      const again = () => again();

      again();
    `,
    'again();',
    'Maximum call stack size exceeded',
  ],
  'with a value that is no error': [
    js`
      const all = ['x'];
      for (const each of all) {
        if (Date.now() > 0) throw each + ' is short';
      }
    `,
    "if (Date.now() > 0) throw each + ' is short';",
    'x is short',
  ],
  'later, with a text': [
    js`
      const wait = null;
      asyncModule(async () => {
        await Promise.reject('no answer');
      });
    `,
    'asyncModule(async () => {',
    'no answer',
  ],
  'in the SQL of a dimension': [
    js`
      const sqlOf = (column) => column.name.toUpperCase();

      cube('b', {
        sql_table: 'b',
        dimensions: { id: { sql: () => sqlOf({}), type: 'number' } },
      });
    `,
    "cube('b', {",
    "Cannot read properties of undefined (reading 'toUpperCase')",
  ],
  'in the name of the cube that it extends': [
    js`
      const parent = (given) => given.cube.name;
      cube('b', { extends: () => parent({}), sql_table: 'b' });
    `,
    "cube('b', { extends: () => parent({}), sql_table: 'b' });",
    "Cannot read properties of undefined (reading 'name')",
  ],
};

describe('an error of the engine without a position', () => {
  // @shows errors-of-the-engine (server)
  it.each(Object.entries(SCRIPTS))('is shown where a script stops: %s', async (_, [text, line, message]) => {
    expect(await errorsOf({ 'b.js': text })).toEqual([`b.js: ${line} → ${message}`]);
  });

  it('is shown at the call of what a file exports, and not again beside our own problem', async () => {
    const lib = js`
      export const check = (n) => {
        if (n > 1) throw new Error('too many');
        return n;
      };
    `;
    const imports = js`
      import { check } from './lib.js';

      const read = new Map([['n', 5]]);
      check([...read.values()].length + read.get('n'));
    `;
    expect(await errorsOf({ 'lib.js': lib, 'b.js': imports })).toEqual([
      "b.js: check([...read.values()].length + read.get('n')); → too many",
    ]);
    expect(await errorsOf({ 'lib.js': lib, 'b.js': "import { check } from './lib.js';\ncheck(2);\n" })).toEqual([
      "b.js: import { check } from './lib.js'; → The script always ends with an error that a file throws which it imports.",
    ]);
  });

  it('is shown in each of two files, also of the same message and text', async () => {
    const broken = js`
      const none = {};
      none.a.b();
    `;
    const later = js`
      asyncModule(async () => {
        await Promise.reject('later');
      });
    `;
    const message = "Cannot read properties of undefined (reading 'b')";
    expect(await errorsOf({ 'b.js': broken, 'c.js': broken, 'd.js': later })).toEqual([
      `b.js: none.a.b(); → ${message}`,
      `c.js: none.a.b(); → ${message}`,
      'd.js: asyncModule(async () => { → later',
    ]);
  });

  it('is not that of the model before', async () => {
    await errorsOf({ 'b.js': 'const again = () => again();\nagain();\n' });
    const cyclic = js`
      const parent = (name) => name;
      cube('b', { extends: () => [].none.name, sql_table: 'b' });
    `;
    await errorsOf({ 'b.js': 'const none = undefined;\nnone.name;\n' });
    expect(await errorsOf({ 'c.js': cyclic })).toEqual([
      "c.js: cube('b', { extends: () => [].none.name, sql_table: 'b' }); → Cannot read properties of undefined (reading 'name')",
    ]);
  });

  it.each([
    [
      'in a file that is called like a cube',
      {
        'b.yml': jinja`
          cubes:
            - name: m
              sql_table: {{ 1 // 0 }}
        `,
        'm.yml': yaml`
          cubes:
            - name: b
              sql_table: b
        `,
      },
      ['b.yml: sql_table: {{ 1 // 0 }} → invalid operation: unable to calculate 1 // 0 (in b.yml:3)'],
    ],
    [
      'in a file of macros only',
      {
        'macros.jinja': jinja`
          {% macro table(n) %}
          {{ n // 0 }}
          {% endmacro %}
        `,
        'b.yml': jinja`
          {% from "macros.jinja" import table %}
          cubes:
            - name: b
              sql_table: {{ table(1) }}
        `,
      },
      ['macros.jinja: {{ n // 0 }} → invalid operation: unable to calculate 1 // 0 (in macros.jinja:2)'],
    ],
    [
      'in two templates whose output is not YAML',
      {
        'b.yml': jinja`
          {% set cubes = 'cubes: {' %}
          {{ cubes | safe }}
        `,
        'c.yml': jinja`
          {% set cubes = 'cubes: [' %}
          {{ cubes | safe }}
        `,
      },
      [
        "b.yml: {% set cubes = 'cubes: {' %} → unexpected end of the stream within a flow collection (3:1)",
        "c.yml: {% set cubes = 'cubes: [' %} → unexpected end of the stream within a flow collection (3:1)",
      ],
    ],
  ] as const)('is shown at its template: %s', async (_, files, errors) => {
    expect(await errorsOf(files)).toEqual(errors);
  });
});
