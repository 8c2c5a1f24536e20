import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Drawn } from '#support/language/drawn.ts';
import { fixture, textIn } from '#support/language/model.ts';
import { js } from '#support/language/raw.ts';
import { SHOP } from '#support/language/shop.ts';
import { completionItems, completions, lines } from '#support/language/show.ts';

/** A script beside the shop. */
const model = (script: string): string => `// file: a.js\n${script}\n${SHOP}`;

const offered = (script: string): Drawn => completions(model(script));

/** What an item puts into the text: in the place of what, where it says so; else in the place of the word at the cursor. */
function put(script: string, label: string): Drawn {
  const all = fixture(model(script));
  const found = completionItems(all).filter((item) => item.label === label);
  return lines(
    found.map(({ textEdit, insertText = label }) =>
      textEdit && 'range' in textEdit
        ? `“${textIn(all.opened, textEdit.range)}” becomes ${textEdit.newText}`
        : insertText,
    ),
  );
}

describe('completion in a script', () => {
  it('offers the keys that a definition does not have yet, above and below', () => {
    const script = js`
      cube(\`a\`, {
        sql_table: \`t\`,
        $0
        measures: {},
      });
    `;
    expect(offered(script)).toMatchInlineSnapshot(`
      joins, dimensions, segments, hierarchies, pre_aggregations, extends, title, description, meta,
      public, sql_alias, data_source, refresh_key, access_policy, calendar
    `);
  });

  it('offers the keys of a member while the script cannot be read', () => {
    expect(offered('cube(`a`, { sql_table: `t`, dimensions: { x: { type: `string`, prim$0')).toMatchInlineSnapshot(`
      sql, case, latitude, primary_key, title, description, meta, public, format, longitude, sub_query,
      propagate_filters_to_sub_query, key, order, mask, links, multi_stage, add_group_by, filter,
      suggest_filter_values
    `);
  });

  it('spells keys as the file does', () => {
    const camel = 'cube(`a`, { sqlTable: `t`, preAggregations: {}, measures: { x: { $0 } } });';
    expect(offered(camel)).toMatchInlineSnapshot(`
      type, sql, filters, title, description, meta, public, format, currency, rollingWindow, drillMembers,
      drillFilters, mask, multiStage
    `);
    expect(offered('cube(`a`, { sql_table: `t`, measures: { x: { $0 } } });')).toMatchInlineSnapshot(`
      type, sql, filters, title, description, meta, public, format, currency, rolling_window,
      drill_members, drill_filters, mask, multi_stage
    `);
  });

  it('puts what must follow a key', () => {
    const at = 'cube(`a`, { sql_table: `t`, $0 });';
    expect(put(at, 'measures')).toMatchInlineSnapshot(`
      “” becomes measures: {
      	$1
      },
    `);
    expect(put(at, 'description')).toMatchInlineSnapshot(`“” becomes description: \`$1\`,`);
    expect(put(at, 'public')).toMatchInlineSnapshot(`“” becomes public: $1,`);
  });

  it.each([
    ['nothing typed', 'type: $0', '“” becomes `sum`'],
    ['a word typed', 'type: su$0', '“su” becomes `sum`'],
    ['in quotes', "type: '$0'", 'sum'],
    ['in a template', 'type: `$0`', 'sum'],
    ['in a template without its end', 'type: `s$0', 'sum'],
  ])('offers values with their quotes: %s', (_, typed, expected) => {
    const script = `cube(\`a\`, { sql_table: \`t\`, measures: { x: { ${typed} } } });`;
    expect(put(script, 'sum').drawn).toBe(expected);
  });

  it('offers true and false without quotes', () => {
    expect(offered('cube(`a`, { public: $0 });')).toMatchInlineSnapshot(`false, true`);
    expect(put('cube(`a`, { public: $0 });', 'true')).toMatchInlineSnapshot(`true`);
  });

  it('offers members of a list of references, of an arrow function too', () => {
    const cube = (drill: string): string => js`
      cube(\`a\`, {
        sql: \`x\`,
        joins: { orders: { relationship: \`many_to_one\`, sql: \`\${orders.id} = 1\` } },
        dimensions: { own: { sql: \`own\`, type: \`string\` } },
        measures: { n: { type: \`count\`, drillMembers: ${drill} } },
      });
    `;
    expect(offered(cube('[$0]'))).toMatchInlineSnapshot(`own, n, CUBE, orders, users, a`);
    expect(offered(cube('[own, $0]'))).toMatchInlineSnapshot(`own, n, CUBE, orders, users, a`);
    expect(offered(cube('() => [$0]'))).toMatchInlineSnapshot(`own, n, CUBE, orders, users, a`);
    expect(offered(cube('[orders.$0]'))).toMatchInlineSnapshot(
      `created_at, id, status, user_id, average, count, total, users`,
    );
    expect(offered(cube('[CUBE.$0]'))).toMatchInlineSnapshot(`own, n, orders`);
  });

  it('offers cubes of YAML files to extend and to join to', () => {
    expect(offered('cube(`a`, { extends: $0 });')).toMatchInlineSnapshot(`orders, users`);
    expect(put('cube(`a`, { joins: { $0 } });', 'users')).toMatchInlineSnapshot(`
      “” becomes users: {
      	relationship: \`\${1|many_to_one,one_to_many,one_to_one|}\`,
      	sql: \`\\\${CUBE}.\${2:users_id} = \\\${users.\${3:id}}\`,
      },
    `);
    expect(offered('cube(`a`, { joins: { users: {}, $0 } });')).toMatchInlineSnapshot(`orders`);
  });

  it('offers in a view what its cubes have', () => {
    expect(offered('view(`v`, { cubes: [{ join_path: orders.$0 }] });')).toMatchInlineSnapshot(`users`);
    expect(offered('view(`v`, { cubes: [{ join_path: orders, includes: [`$0`] }] });')).toMatchInlineSnapshot(
      `average, count, created_at, id, status, total, user_id`,
    );
    expect(put('view(`v`, { cubes: [{ join_path: orders, includes: [$0] }] });', 'status')).toMatchInlineSnapshot(
      `“” becomes \`status\``,
    );
    expect(put('view(`v`, { cubes: [{ join_path: orders, includes: $0 }] });', '*')).toMatchInlineSnapshot(
      `“” becomes \`*\``,
    );
    expect(offered('view(`v`, { cubes: [{ $0 }] });')).toMatchInlineSnapshot(
      `join_path, includes, excludes, prefix, alias, split`,
    );
  });

  it('offers references behind ${ in every SQL of a definition', () => {
    const cube = (sql: string): string => js`
      cube(\`a\`, {
        sql: \`x\`,
        joins: { users: { relationship: \`many_to_one\`, sql: ${sql} } },
        dimensions: { own: { sql: \`own\`, type: \`time\` } },
      });
    `;
    expect(offered(cube('`${$0}`'))).toMatchInlineSnapshot(
      `CUBE, users, own, FILTER_PARAMS, FILTER_GROUP, SECURITY_CONTEXT, SQL_UTILS, COMPILE_CONTEXT, a`,
    );
    expect(offered(cube('(CUBE, users) => `${CUBE}.x = ${users.$0}`'))).toMatchInlineSnapshot(`city, id`);
    expect(offered(cube('`${CUBE.own.$0}`'))).toMatchInlineSnapshot(
      `second, minute, hour, day, week, month, quarter, year`,
    );
    expect(offered(cube('`select $0`'))).toMatchInlineSnapshot(`nothing`);
  });

  it.each([
    '`${CUBE?.$0}`',
    '`${CUBE?.i$0}`',
    "`${CUBE['$0']}`",
    '`${CUBE?.["$0"]}`',
    '`${true ? CUBE.$0 : 1}`',
    '`${CUBE.$0 + 1}`',
    '`${[CUBE.$0, 1].join()}`',
    '`${f(CUBE?.$0)}`',
    'String.raw`${CUBE.$0}`',
    '() => { return `${CUBE.$0}`; }',
    '`é😀 ${CUBE.$0}`',
    '`${orders?.$0}`',
  ])('offers members behind every form of a path: %s', (sql) => {
    const script = `cube('orders', { sql_table: \`t\`, dimensions: { id: { sql: \`id\` } }, measures: { m: { sql: ${sql} } } });`;
    expect(completionItems(`// file: a.js\n${script}`).map(({ label }) => label)).toContain('id');
  });

  it('offers references in SQL that does not end', () => {
    const script = js`
      cube(\`a\`, {
        measures: {
          n: { type: \`count\` },
          m: {
            sql: \`\${$0
          },
        },
      });
    `;
    expect(offered(script)).toMatchInlineSnapshot(
      `CUBE, n, FILTER_PARAMS, FILTER_GROUP, SECURITY_CONTEXT, SQL_UTILS, COMPILE_CONTEXT, a`,
    );
  });

  it('offers whole definitions and members to start from', () => {
    expect(offered('cu$0')).toMatchInlineSnapshot(`cube, view`);
    expect(offered('cube(`a`, { measures: { $0 } });')).toMatchInlineSnapshot(`new measure`);
    expect(offered('const x = $0')).toMatchInlineSnapshot(`nothing`);
  });

  it('answers everywhere, whatever is cut off or put in', () => {
    const script = js`
      cube(\`a\`, {
        sql: \`select \${FILTER_PARAMS.a.x.filter((y) => \`\${y}\`)}\`, // note
        joins: { users: { sql: (CUBE) => \`\${CUBE.x}\` } },
        measures: { n: { type: "count", drillMembers: [CUBE.n, users.id] } },
      });
    `;
    const piece = fc.constantFrom(
      '',
      '$',
      '${',
      '`',
      "'",
      '"',
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '/*',
      '//',
      ':',
      ',',
      '\\',
    );
    fc.assert(
      fc.property(fc.nat({ max: script.length }), fc.nat({ max: 40 }), piece, (at, gone, put) => {
        const cut = `${script.slice(0, at)}${put}$0${script.slice(at + gone)}`;
        const found = completionItems(model(cut)).map(({ label }) => label);
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  it('offers nothing in texts, comments and code of the script itself', () => {
    expect(offered('cube(`a`, { title: `$0` });')).toMatchInlineSnapshot(`nothing`);
    expect(offered('cube(`a`, { dimensions: helper({ $0 }) });')).toMatchInlineSnapshot(`nothing`);
    expect(
      offered(js`
        cube(\`a\`, { sql: \`x\` });
        const y = { $0 };`),
    ).toMatchInlineSnapshot(`nothing`);
  });
});
