import type { Diagnostic } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { codeLenses } from '#language-server/ide/lenses.ts';
import { documentLinks } from '#language-server/ide/structure.ts';
import { documentSymbols } from '#language-server/ide/navigation/symbols.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { type Fixture, fixture } from '#support/language/model.ts';
import { js, yaml } from '#support/language/raw.ts';
import type { Drawn } from '#support/language/drawn.ts';
import { ROOT, Session } from '#support/language/session.ts';
import {
  afterAction,
  definitions,
  hovered,
  lines,
  problems,
  renamed,
  renameRefusal,
  textAfter,
  uses,
} from '#support/language/show.ts';

/** Half of it is YAML, half of it scripts; each names what the other has. */
const MIXED = js`
  // file: lib/settings.js
  export const schema = 'public';
  // file: orders.js
  import { schema } from './lib/settings';
  cube(\`orders\`, {
    sql: \`select * from \${schema}.orders where \${FILTER_PARAMS.orders.status.filter('status')}\`,
    joins: {
      users: { relationship: \`many_to_one\`, sql: (CUBE, users) => \`\${CUBE}.user_id = \${users.id}\` },
    },
    dimensions: {
      id: { sql: \`id\`, type: \`number\`, primaryKey: true },
      status: { sql: \`\${CUBE}.status\`, type: \`string\` },
      created: { sql: \`created\`, type: \`time\` },
    },
    measures: {
      count: { type: \`count\`, drillMembers: () => [id, CUBE.status, users.city] },
      total: { type: \`sum\`, sql: \`amount\`, filters: [{ sql: \`\${status} = 'paid'\` }] },
      rate: { type: \`number\`, sql: schema === 'public' ? \`\${total} / \${CUBE.count}\` : '1 / ' + CUBE.count },
    },
    preAggregations: {
      main: { measures: [count, orders.total], dimensions: [status, users.city], timeDimension: created, granularity: \`day\` },
    },
  });
  view(\`shop\`, {
    cubes: [
      { join_path: orders, includes: [\`count\`, { name: \`total\`, alias: \`revenue\` }] },
      { join_path: orders.users, prefix: true, includes: [\`city\`] },
    ],
    folders: [{ name: \`Where\`, includes: [\`revenue\`, \`users_city\`] }],
  });
  cube(\`refunds\`, { extends: orders, measures: { lost: { type: \`count\`, drillMembers: [status] } } });
  # file: users.yml
  cubes:
    - name: users
      sql_table: users
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: city, sql: city, type: string}
        - {name: spent, sql: "{orders.total}", type: number, sub_query: true}
`;

/** The mixed model with the cursor behind the first `before` that `after` follows. */
function at(before: string, after = ''): Fixture {
  const place = MIXED.indexOf(before + after);
  expect(place).not.toBe(-1);
  const cursor = place + before.length;
  return fixture(`${MIXED.slice(0, cursor)}$0${MIXED.slice(cursor)}`);
}

describe('a model of scripts and YAML', () => {
  it('has no problem', () => {
    expect(problems(MIXED)).toMatchInlineSnapshot(`nothing`);
  });

  it.each([
    ['${us', 'ers.id', 'users.yml:2 users'],
    ['users.i', 'd}', 'users.yml:5 id'],
    ['CUBE.st', 'atus,', 'orders.js:9 status'],
    ['[i', 'd, CUBE', 'orders.js:8 id'],
    ['users.ci', 'ty] }', 'users.yml:6 city'],
    ['${st', 'atus} =', 'orders.js:9 status'],
    ['? `${to', 'tal}', 'orders.js:14 total'],
    ["'1 / ' + CUBE.co", 'unt', 'orders.js:13 count'],
    ['orders.to', 'tal]', 'orders.js:14 total'],
    ['timeDimension: cre', 'ated', 'orders.js:10 created'],
    ['FILTER_PARAMS.ord', 'ers', 'orders.js:2 orders'],
    ['orders.st', 'atus.filter', 'orders.js:9 status'],
    ['    us', 'ers: {', 'users.yml:2 users'],
    ['join_path: orders.us', 'ers', 'users.yml:2 users'],
    ['[`co', 'unt`', 'orders.js:13 count'],
    ['[`reve', 'nue`', 'orders.js:23 revenue'],
    ['`users_ci', 'ty`', 'users.yml:6 city'],
    ['extends: ord', 'ers', 'orders.js:2 orders'],
    ['drillMembers: [st', 'atus]', 'orders.js:9 status'],
    ['{orders.to', 'tal}"', 'orders.js:14 total'],
  ])('finds the definition of %s|%s', (before, after, expected) => {
    expect(definitions(at(before, after)).drawn).toBe(expected);
  });

  it('finds the uses of a member of a script in YAML, and the other way round', () => {
    expect(uses(at('    to', 'tal:'))).toMatchInlineSnapshot(`
      orders.js:14 total
      orders.js:15 total
      orders.js:18 total
      orders.js:23 total
      users.yml:7 total
    `);
    expect(uses(at('name: ci', 'ty,'))).toMatchInlineSnapshot(`
      users.yml:6 city
      orders.js:13 city
      orders.js:18 city
      orders.js:24 city
      orders.js:26 users_city
    `);
  });

  it('explains keys and members', () => {
    expect(hovered(at('primary', 'Key'))).toMatchInlineSnapshot(`
      **primary_key** · Dimension · true or false

      Whether it identifies a row. Joins need one for correct aggregates. Makes \`public\` default to false.
    `);
    expect(hovered(at('    to', 'tal:'))).toMatchInlineSnapshot(`
      **orders.total** · measure · sum

      \`\`\`sql
      \`amount\`
      \`\`\`

      4 uses

      Defined in orders.js
    `);
    expect(hovered(at('users.ci', 'ty]'))).toMatchInlineSnapshot(`
      **users.city** · dimension · string

      \`\`\`sql
      city
      \`\`\`

      4 uses

      Defined in users.yml
    `);
  });

  it('has an outline that says where it ends when there is too much', () => {
    const { opened } = at('cube(`ord');
    const [first, last] = documentSymbols(opened, 3);
    const end = '… the outline ends after 3 entries';
    expect(first?.children?.map(({ name }) => name)).toEqual(['users', 'id', end]);
    expect(last?.name).toBe(end);
  });

  it('has an outline, lenses and links to what it imports', () => {
    const { opened } = at('cube(`ord');
    const outline = documentSymbols(opened).map(({ name, children = [] }) =>
      [name, ...children.map((child) => child.name)].join(' '),
    );
    expect(lines(outline)).toMatchInlineSnapshot(`
      orders users id status created count total rate main
      shop Where
      refunds lost
    `);
    const lenses = codeLenses(opened, defaultLanguageSettings).map(({ range }) => range.start.line + 1);
    expect(lenses).toEqual([2, 8, 9, 10, 13, 14]);
    expect(documentLinks(opened).map(({ target }) => target)).toEqual([`${ROOT}/lib/settings.js`]);
  });

  it('renames a member in both languages', () => {
    expect(renamed(at('    to', 'tal:'), 'sum')).toMatchInlineSnapshot(`
      orders.js
      14 -     total: { type: \`sum\`, sql: \`amount\`, filters: [{ sql: \`\${status} = 'paid'\` }] },
      15 -     rate: { type: \`number\`, sql: schema === 'public' ? \`\${total} / \${CUBE.count}\` : '1 / ' + CUBE.count },
      14 +     sum: { type: \`sum\`, sql: \`amount\`, filters: [{ sql: \`\${status} = 'paid'\` }] },
      15 +     rate: { type: \`number\`, sql: schema === 'public' ? \`\${sum} / \${CUBE.count}\` : '1 / ' + CUBE.count },
      18 -     main: { measures: [count, orders.total], dimensions: [status, users.city], timeDimension: created, granularity: \`day\` },
      18 +     main: { measures: [count, orders.sum], dimensions: [status, users.city], timeDimension: created, granularity: \`day\` },
      23 -     { join_path: orders, includes: [\`count\`, { name: \`total\`, alias: \`revenue\` }] },
      23 +     { join_path: orders, includes: [\`count\`, { name: \`sum\`, alias: \`revenue\` }] },
      users.yml
      7 -       - {name: spent, sql: "{orders.total}", type: number, sub_query: true}
      7 +       - {name: spent, sql: "{orders.sum}", type: number, sub_query: true}
    `);
  });

  it('renames a cube in both languages, and what a view calls its members', () => {
    expect(renamed(at('- name: us', 'ers'), 'people', true)).toMatchInlineSnapshot(`
      users.yml
      2 -   - name: users
      2 +   - name: people
      orders.js
      5 -     users: { relationship: \`many_to_one\`, sql: (CUBE, users) => \`\${CUBE}.user_id = \${users.id}\` },
      5 +     people: { relationship: \`many_to_one\`, sql: (CUBE, people) => \`\${CUBE}.user_id = \${people.id}\` },
      13 -     count: { type: \`count\`, drillMembers: () => [id, CUBE.status, users.city] },
      13 +     count: { type: \`count\`, drillMembers: () => [id, CUBE.status, people.city] },
      18 -     main: { measures: [count, orders.total], dimensions: [status, users.city], timeDimension: created, granularity: \`day\` },
      18 +     main: { measures: [count, orders.total], dimensions: [status, people.city], timeDimension: created, granularity: \`day\` },
      24 -     { join_path: orders.users, prefix: true, includes: [\`city\`] },
      24 +     { join_path: orders.people, prefix: true, includes: [\`city\`] },
      26 -   folders: [{ name: \`Where\`, includes: [\`revenue\`, \`users_city\`] }],
      26 +   folders: [{ name: \`Where\`, includes: [\`revenue\`, \`people_city\`] }],
      users.yml
      moved to people.yml
    `);
  });

  it('renames from code that puts SQL together', () => {
    expect(renamed(at("'1 / ' + CUBE.co", 'unt'), 'rows')).toMatchInlineSnapshot(`
      13 -     count: { type: \`count\`, drillMembers: () => [id, CUBE.status, users.city] },
      13 +     rows: { type: \`count\`, drillMembers: () => [id, CUBE.status, users.city] },
      15 -     rate: { type: \`number\`, sql: schema === 'public' ? \`\${total} / \${CUBE.count}\` : '1 / ' + CUBE.count },
      15 +     rate: { type: \`number\`, sql: schema === 'public' ? \`\${total} / \${CUBE.rows}\` : '1 / ' + CUBE.rows },
      18 -     main: { measures: [count, orders.total], dimensions: [status, users.city], timeDimension: created, granularity: \`day\` },
      18 +     main: { measures: [rows, orders.total], dimensions: [status, users.city], timeDimension: created, granularity: \`day\` },
      23 -     { join_path: orders, includes: [\`count\`, { name: \`total\`, alias: \`revenue\` }] },
      23 +     { join_path: orders, includes: [\`rows\`, { name: \`total\`, alias: \`revenue\` }] },
    `);
  });

  it('refuses to rename what is generated', () => {
    const model = js`
      // file: a.js
      for (const n of [1]) cube(\`\${n}_$0x\`, { sql: \`x\` });
    `;
    expect(renameRefusal(model)).toMatchInlineSnapshot(
      `“\${n}_x” is generated when the model runs: change the code that generates it.`,
    );
  });

  it('refuses to rename where a use may be missed', () => {
    const model = (more: string): string => js`
      // file: a.js
      cube(\`a\`, {
        sql: \`x\`,
        measures: {
          co$0unt: { type: \`count\` },
          ${more}
        },
      });
    `;
    const hidden = js`
      b: { type: \`count\`, drillMembers: pick([CUBE.count]) },
    `;
    expect(renameRefusal(model(hidden))).toMatchInlineSnapshot(
      `Code in a.js may use “count”, which is known only when it runs: rename it there manually.`,
    );
    expect(renameRefusal(model('// Nothing else.'))).toMatchInlineSnapshot(`
      not refused
      4 -     count: { type: \`count\` },
      4 +     other: { type: \`count\` },
    `);
  });

  it('keeps the name of a file that scripts import', () => {
    const model = (other: string): string => js`
      // file: users.js
      cube('us$0ers', { sql: \`x\` });
      // file: b.js
      ${other}
    `;
    expect(renamed(model("import { x } from './users';"), 'people', true)).toMatchInlineSnapshot(`
      1 - cube('users', { sql: \`x\` });
      1 + cube('people', { sql: \`x\` });
    `);
    expect(renamed(model('// Nothing.'), 'people', true)).toMatchInlineSnapshot(`
      users.js
      1 - cube('users', { sql: \`x\` });
      1 + cube('people', { sql: \`x\` });
      users.js
      moved to people.js
    `);
  });
});

describe('a quick fix in a script', () => {
  const script = (cube: string): string => js`
    // file: a.js
    const base = { sql: \`x\` };
    cube(\`a\`, { sql: \`x\`, dimensions: { id: { sql: \`id\`, type: \`number\` } } });
    cube(\`b\`, {
      ${cube},
      dimensions: { id: { sql: \`id\`, type: \`number\` } },
    });
  `;

  /** What a fix changes, and what is wrong after it. */
  const fixed = (model: string, title: string): Drawn => {
    const after = problems(`// file: a.js\n${textAfter(model, title)}`);
    return lines([afterAction(model, title).drawn, `then: ${after.drawn}`]);
  };

  it('keeps the quotes of a word', () => {
    const model = script('sql: `x`, measures: { c: { type: `coun` } }');
    expect(fixed(model, 'Change to `count`')).toMatchInlineSnapshot(`
      4 -   sql: \`x\`, measures: { c: { type: \`coun\` } },
      4 +   sql: \`x\`, measures: { c: { type: \`count\` } },
      then: nothing
    `);
  });

  it('takes the quotes of a cube away', () => {
    const model = script('sql: `x`, extends: `a`');
    expect(fixed(model, 'Change to `a`')).toMatchInlineSnapshot(`
      4 -   sql: \`x\`, extends: \`a\`,
      4 +   sql: \`x\`, extends: a,
      then: nothing
    `);
  });

  it('makes SQL from elsewhere a function', () => {
    expect(fixed(script('...base'), 'Make it a function')).toMatchInlineSnapshot(`
      1 - const base = { sql: \`x\` };
      1 + const base = { sql: () => \`x\` };
      then: nothing
    `);
  });

  it('corrects a member', () => {
    const model = script('sql: `x`, measures: { c: { type: `number`, sql: `${CUBE.idd}` } }');
    expect(fixed(model, 'Change to `id`')).toMatchInlineSnapshot(`
      4 -   sql: \`x\`, measures: { c: { type: \`number\`, sql: \`\${CUBE.idd}\` } },
      4 +   sql: \`x\`, measures: { c: { type: \`number\`, sql: \`\${CUBE.id}\` } },
      then: 4   sql: \`x\`, measures: { c: { type: \`number\`, sql: \`\${CUBE.id}\` } },
                                                           ~~~~~~~~~~ warning missing-aggregate: \`id\` is a dimension, which nothing aggregates: queries that do not group by it fail. Put an aggregate such as \`MAX(…)\` around it, or make this a dimension.
    `);
  });

  it('puts the comment that switches a problem off above the template that it is in', () => {
    const model = js`
      // file: a.js
      cube(\`a\`, {
        sql: \`
          select \${nope}
        \`,
      });
    `;
    expect(fixed(model, 'Ignore')).toMatchInlineSnapshot(`
      2 +   // modelbench-ignore: late-reference
      then: nothing
    `);
  });
});

/** The diagnostics of the first version of a document, as soon as they are as wanted. */
async function until(
  session: Session,
  uri: string,
  holds: (found: readonly Diagnostic[]) => boolean,
): Promise<readonly Diagnostic[]> {
  for (;;) {
    const { diagnostics } = session.diagnostics.get(uri) ?? {};
    if (diagnostics && holds(diagnostics)) return diagnostics;
    session.diagnostics.delete(uri);
    await session.diagnosticsOf(uri, 1);
  }
}

describe('the server', () => {
  it('updates YAML files about scripts as they are typed, and leaves modules beside them alone', async () => {
    const session = await Session.start({
      'a.js': 'cube(`a`, { sql: `x`, dimensions: { id: { sql: `id`, type: `number`, primary_key: true } } });',
      'b.yml': yaml`
        cubes:
          - name: b
            sql: "select * from {a.sql()}"
            extends: a
      `,
    });
    const cubes = await session.open('b.yml');
    expect(await session.diagnosticsOf(cubes, 1)).toEqual([]);
    const script = await session.open('a.js');
    expect(await session.diagnosticsOf(script, 1)).toEqual([]);
    const change = (version: number, text: string): Promise<void> =>
      session.client.sendNotification('textDocument/didChange', {
        textDocument: { uri: script, version },
        contentChanges: [{ text }],
      });
    await change(2, 'cube(`other`, { sql: `x` });');
    const [problem] = await until(session, cubes, (found) => found.length > 0);
    expect(problem?.message).toBe('There is no cube `a`.');
    // Half typed, it is there again.
    await change(3, 'cube(`a`, { sql: `x`, dimensions: { ');
    expect(await until(session, cubes, (found) => found.length === 0)).toEqual([]);
    const symbols = await session.client.sendRequest<{ name: string }[]>('workspace/symbol', { query: 'a' });
    expect(lines(symbols.map(({ name }) => name))).toMatchInlineSnapshot(`a`);
    const module = await session.open('helpers.mjs', 'export const x = 1;');
    expect(await session.request('textDocument/documentSymbol', module)).toBeNull();
    expect(session.diagnostics.get(module)?.diagnostics ?? []).toEqual([]);
    session.dispose();
  });
});
