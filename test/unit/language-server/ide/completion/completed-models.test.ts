import { type CompletionItem, CompletionItemKind, type CompletionList } from 'vscode-languageserver';
import { beforeAll, describe, expect, it } from 'vitest';
import { textProblems } from '#model/checks/check.ts';
import { parseFile } from '#model/file.ts';
import { completion } from '#language-server/ide/completion/completion.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { type MatrixEngine, matrixEngine } from '#support/language/matrix/engine.ts';
import { fixture } from '#support/language/model.ts';
import { js, yaml } from '#support/language/raw.ts';
import { problemsOf } from '#support/language/problems.ts';
import { Session } from '#support/language/session.ts';

let engine: MatrixEngine;
beforeAll(async () => {
  engine = await matrixEngine();
});

const YAML = yaml`
  cubes:
    - name: users
      sql_table: public.users
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
        - {name: city, sql: "{CUBE}.city", type: string}
        - name: name
          type: string
          sql: '{CUBE}.name'
          description: Told by the user.
    - name: base
      sql_table: public.base
      dimensions:
        - {name: inherited, sql: inherited, type: string}
    - name: orders
      sql_table: public.orders
      extends: base
      joins:
        - name: users
          relationship: many_to_one
          sql: "{CUBE.user_id} = {users.id}"
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: user_id, sql: user_id, type: number, format: id}
        - {name: status, sql: "{CUBE}.status", type: string, public: true}
        - name: created_at
          sql: created_at
          type: time
          granularities:
            - name: fiscal
              interval: 1 year
              origin: "2024-04-01"
        - name: city
          type: string
          sql: |
            COALESCE(
              {users.city},
              {status}
            )
        - name: size
          type: string
          case:
            when:
              - {sql: "{CUBE}.amount > 100", label: big}
            else: {label: small}
      measures:
        - name: count
          type: count
          drill_members: [id, status, users.city]
        - name: revenue
          type: sum
          sql: >-
            {CUBE}.amount *
            {CUBE}.quantity
          format: currency
          filters:
            - sql: "{status} = 'paid'"
        - {name: average, type: number, sql: "{revenue} / {CUBE.count}"}
        - name: weekly
          type: sum
          sql: amount
          rolling_window: {trailing: 7 day, offset: start}
      segments:
        - {name: paid, sql: "{CUBE.status} = 'paid'"}
      hierarchies:
        - {name: place, levels: [city, status]}
      pre_aggregations:
        - name: main
          measures: [count, revenue]
          dimensions: [status, users.city]
          time_dimension: created_at
          granularity: day
          partition_granularity: month
          refresh_key: {every: 1 hour, timezone: Europe/Berlin}
          indexes:
            - {name: by_status, columns: [status]}
      access_policy:
        - group: "*"
          conditions:
            - {if: "{ security_context.is_admin }"}
          row_level:
            filters:
              - {member: status, operator: equals, values: [paid]}
          member_level: {includes: [status, count], excludes: [city]}
  views:
    - name: sales
      cubes:
        - join_path: orders
          includes: [status, count, name: created_at]
          excludes: [city]
        - join_path: orders.users
          prefix: true
          includes: "*"
      folders:
        - {name: main, includes: [status, count, users_city]}
`;

const SCRIPT = js`
  cube('users', {
    sql_table: 'users',
    dimensions: {
      id: { sql: 'id', type: 'number', primary_key: true },
      city: { sql: ${'`${CUBE}.city`'}, type: 'string' },
    },
  });
  cube('orders', {
    sql: ${'`SELECT * FROM orders WHERE ${FILTER_PARAMS.orders.status.filter("status")}`'},
    joins: {
      users: { relationship: ${'`many_to_one`'}, sql: ${'`${CUBE.user_id} = ${users.id}`'} },
    },
    dimensions: {
      id: { sql: ${'`id`'}, type: ${'`number`'}, primary_key: true },
      user_id: { sql: ${'`user_id`'}, type: ${'`number`'} },
      status: { sql: ${'`${CUBE}.status`'}, type: "string", format: 'link' },
      created_at: { sql: ${'`created_at`'}, type: 'time' },
    },
    measures: {
      count: { type: 'count', drill_members: [id, status, users.city] },
      revenue: { type: 'sum', sql: ${'`\n        ${CUBE}.amount\n      `'}, format: 'currency' },
      average: { type: 'number', sql: ${'`${revenue} / ${CUBE.count}`'} },
    },
    pre_aggregations: {
      main: { measures: [CUBE.count, CUBE.revenue], dimensions: [CUBE.status], time_dimension: CUBE.created_at, granularity: 'day' },
    },
  });
`;

/** A completed model, and what was completed. */
interface Completed {
  readonly what: string;
  readonly text: string;
  readonly item: CompletionItem;
}

const KEYS: ReadonlySet<CompletionItemKind | undefined> = new Set([
  CompletionItemKind.Property,
  CompletionItemKind.Snippet,
]);

/** Returns the different models that completions of values and names at every offset make of one. */
function completedModels(opened: Opened): readonly Completed[] {
  const { text } = opened.file;
  const found = new Map<string, Completed>();
  for (let offset = 0; offset <= text.length; offset++) {
    // No editor puts a cursor between the two characters of a line break.
    if (text[offset - 1] === '\r') continue;
    for (const item of completion(opened, offset).items) {
      if (KEYS.has(item.kind)) continue;
      const completed = withItem(opened, item);
      const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
      const what = `${line.trim()}|${text.slice(offset).split('\n')[0]} ← ${item.label}`;
      if (completed !== text && !found.has(completed)) found.set(completed, { what, text: completed, item });
    }
  }
  return [...found.values()];
}

function withItem({ file: { text }, positions }: Opened, { textEdit, label }: CompletionItem): string {
  if (!textEdit) throw new Error(`${label} has no place.`);
  const range = 'replace' in textEdit ? textEdit.replace : textEdit.range;
  const [start, end] = [positions.offsetAt(range.start), positions.offsetAt(range.end)];
  return text.slice(0, start) + textEdit.newText.replaceAll(/\$\{?\d[^}]*\}?/g, 'x') + text.slice(end);
}

/** Completions break the text itself where these are reported. */
const BROKEN = new Set(['yaml-syntax', 'script-syntax']);

/** How many of the completed models the engine compiles: a thousand of them take it minutes. */
const COMPILED = 40;

describe('a completion in a sound model', () => {
  it.each([
    ['m.yml', YAML],
    ['m.yml', YAML.replaceAll('\n', '\r\n')],
    ['m.js', SCRIPT],
    ['m.js', SCRIPT.replaceAll('\n', '\r\n')],
  ])(
    'leaves text that can be read, and a model that the engine accepts or whose error is shown: %s',
    async (path, text) => {
      const { opened } = fixture(`# file: ${path}\n${text}`);
      expect(await engine.compile([{ fileName: path, content: text }])).toEqual([]);
      const all = completedModels(opened);
      const broken = all.filter((each) =>
        textProblems(parseFile(path, each.text)).some(({ problem }) => BROKEN.has(problem.code)),
      );
      expect(broken.map(({ what }) => what)).toEqual([]);
      const silent: string[] = [];
      const step = Math.ceil(all.length / COMPILED);
      for (const [at, { what, text: content }] of all.entries()) {
        if (at % step !== 0) continue;
        const [refusal] = await engine.compile([{ fileName: path, content }]);
        const isShown = problemsOf({ [path]: content }).some(({ severity }) => severity === 'error');
        if (refusal && !isShown) silent.push(`${what}: ${refusal.message}`);
      }
      expect(silent).toEqual([]);
    },
  );

  it.each([
    // Directly behind a colon.
    ['type:|\n', 'number', 'type: number'],
    ['type: |\n', 'number', 'type: number'],
    ['type: "|"\n', 'number', 'type: "number"'],
    ['type: num|\n', 'number', 'type: number'],
    ['type: str|ing\n', 'number', 'type: number'],
    ['type: str|ing # of letters\n', 'number', 'type: number # of letters'],
    // Values of more than one word.
    ['type: number\n        format: per|cent_1\n', 'percent', 'type: number\n        format: percent'],
    ['type: number\n        format: "per|"\n', 'percent', 'type: number\n        format: "percent"'],
    ['granularities: [{name: x, interval: 1 d|}]\n', '1 day', 'granularities: [{name: x, interval: 1 day}]'],
    ['granularities: [{name: x, interval: |1 year}]\n', '1 day', 'granularities: [{name: x, interval: 1 day}]'],
    // Behind a dot, behind a brace, and in the middle of a word.
    ['sql: "{CUBE.st|}"\n', 'status', 'sql: "{CUBE.status}"'],
    ['sql: "{|}"\n', 'status', 'sql: "{status}"'],
    ['sql: "{st|atus} = 1"\n', 'status', 'sql: "{status} = 1"'],
    ["sql: '{CUBE.|} = 1'\n", 'status', "sql: '{CUBE.status} = 1'"],
    // A key that is written already.
    ['na|me: y\n', 'name', 'name: y'],
    ['titl|: y\n', 'title', 'title: y'],
    ['de|scription : y\n', 'description', 'description : y'],
  ])('replaces what belongs to it, whatever an editor takes for a word: %j', (line, label, result) => {
    for (const end of ['\n', '\r\n']) {
      const before =
        'cubes:\n  - name: a\n    sql_table: t\n    dimensions:\n' +
        '      - {name: status, sql: x, type: string}\n      - sql: x\n        ';
      const text = `${before}${line.replace('|', '$0')}`.replaceAll('\n', end);
      const { opened, offset } = fixture(`# file: m.yml\n${text}`);
      const item = completion(opened, offset).items.find((each) => each.label === label);
      expect(item && withItem(opened, item)).toBe(`${before}${result}\n`.replaceAll('\n', end));
    }
  });

  it('replaces up to the cursor in an editor that knows one range', async () => {
    const text = 'cubes:\n  - name: a\n    sql_table: t\n    dimensions: [{name: x, sql: x, type: str}]\n';
    for (const insertReplaceSupport of [true, false]) {
      const capabilities = { textDocument: { completion: { completionItem: { insertReplaceSupport } } } };
      const session = await Session.start({ 'a.yml': text }, {}, [], undefined, {}, capabilities);
      const uri = await session.open('a.yml');
      const position = { line: 3, character: text.split('\n')[3]?.indexOf('tr}') ?? 0 };
      const { items } = await session.request<CompletionList>('textDocument/completion', uri, { position });
      const edits = items.map(({ textEdit }) =>
        Object.keys(textEdit ?? {})
          .toSorted()
          .join(' '),
      );
      expect([...new Set(edits)]).toEqual([insertReplaceSupport ? 'insert newText replace' : 'newText range']);
      session.dispose();
    }
  });
});
