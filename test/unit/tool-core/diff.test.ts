import { describe, expect, it } from 'vitest';
import { SHOP } from '#support/language/shop.ts';
import { runOn } from '#support/tool-run.ts';
import { diff } from '#tools/model/diff.ts';
import { impact } from '#tools/model/impact.ts';
import { indented, yaml } from '#support/language/raw.ts';

const RENAMED = SHOP.replace(
  yaml`
    name: total
            sql: amount`,
  yaml`
    name: sum_total
            sql: amount`,
);
const MORE = SHOP.replace(
  '      - name: average',
  indented(
    6,
    yaml`
      - name: biggest
        sql: amount
        type: max
      - name: average`,
  ),
);

describe('diff', () => {
  it('says what a change means for queries and what it breaks', async () => {
    const answer = await runOn(RENAMED, diff, { base: 'main' }, { base: SHOP });
    expect(answer.render('text')).toMatchInlineSnapshot(`
      "Compared with main: 1 file changed.
      model/cubes/orders.yml: error: total in sql of orders does not exist any more
      model/cubes/orders.yml: error: total in measures of orders does not exist any more
      model/views/shop.yml: error: total in name of shop does not exist any more
      model/views/shop.yml: error: revenue in includes of shop does not exist any more
      renamed orders.total → orders.sum_total (affects orders.average, orders.main, shop)
      removed measure sum shop.revenue (affects shop)"
    `);
    expect(answer.hasFindings).toBe(true);
  });

  it('passes what is only added', async () => {
    const answer = await runOn(MORE, diff, { strict: true }, { base: SHOP });
    expect(answer.value).toMatchInlineSnapshot(`
      {
        "base": "HEAD",
        "broken": [],
        "changes": [
          {
            "affects": [],
            "kind": "added",
            "name": "orders.biggest",
            "summary": "added measure max orders.biggest",
            "what": "member",
          },
        ],
        "files": [
          {
            "change": "changed",
            "path": "model/cubes/orders.yml",
          },
        ],
        "incomplete": false,
        "passed": true,
        "queries": [],
      }
    `);
  });

  it('lists other results under the same name, and passes them', async () => {
    const redefined = SHOP.replace('sql: amount', 'sql: amount - refund');
    const answer = await runOn(redefined, diff, { base: 'main', strict: true }, { base: SHOP });
    expect(answer.hasFindings).toBe(false);
    expect(answer.value).toMatchInlineSnapshot(`
      {
        "base": "main",
        "broken": [],
        "changes": [
          {
            "affects": [
              "orders.average",
              "orders.main",
              "shop.revenue",
            ],
            "keys": [
              "sql",
            ],
            "kind": "redefined",
            "name": "orders.total",
            "presentation": [],
            "summary": "redefined measure sum orders.total: sql",
            "what": "member",
          },
        ],
        "files": [
          {
            "change": "changed",
            "path": "model/cubes/orders.yml",
          },
        ],
        "incomplete": false,
        "passed": true,
        "queries": [],
      }
    `);
    expect(answer.render('text')).toMatchInlineSnapshot(`
      "Compared with main: 1 file changed.
      redefined measure sum orders.total: sql (affects orders.average, orders.main, shop.revenue)"
    `);
    expect(answer.render('markdown')).toMatchInlineSnapshot(`
      "### Data model compared with \`main\`

      1 name changed, 0 references broken; 1 file changed.

      **Can change results**

      - \`redefined measure sum orders.total: sql\`, affects \`orders.average\`, \`orders.main\`, \`shop.revenue\`"
    `);
  });

  it('lists what is only shown differently apart', async () => {
    const titled = SHOP.replace('sql: amount', 'title: Sum\n        sql: amount');
    const answer = await runOn(titled, diff, { base: 'main' }, { base: SHOP });
    expect(answer.render('markdown')).toMatchInlineSnapshot(`
      "### Data model compared with \`main\`

      1 name changed, 0 references broken; 1 file changed.

      **Shown differently**

      - \`presentation of measure sum orders.total: title\`"
    `);
  });

  it('fails at lost names only when it is strict', async () => {
    expect(await runOn(SHOP, diff, {}, { base: MORE })).toMatchObject({ hasFindings: false });
    expect(await runOn(SHOP, diff, { strict: true }, { base: MORE })).toMatchObject({ hasFindings: true });
  });

  it('compares with a revision that had no model yet', async () => {
    const { value } = await runOn(SHOP, diff, {}, { base: '# file: README.yml\n' });
    expect(value).toMatchInlineSnapshot(`
      {
        "base": "HEAD",
        "broken": [],
        "changes": [
          {
            "affects": [],
            "kind": "added",
            "name": "orders",
            "summary": "added cube orders",
            "what": "cube",
          },
          {
            "affects": [],
            "kind": "added",
            "name": "shop",
            "summary": "added view shop",
            "what": "view",
          },
          {
            "affects": [],
            "kind": "added",
            "name": "users",
            "summary": "added cube users",
            "what": "cube",
          },
        ],
        "files": [
          {
            "change": "removed",
            "path": "model/README.yml",
          },
          {
            "change": "added",
            "path": "model/cubes/orders.yml",
          },
          {
            "change": "added",
            "path": "model/cubes/users.yml",
          },
          {
            "change": "added",
            "path": "model/views/shop.yml",
          },
        ],
        "incomplete": false,
        "passed": true,
        "queries": [],
      }
    `);
    expect((value as { readonly changes: readonly object[] }).changes).toHaveLength(3);
  });

  it('writes a comment in which no name can be markup', async () => {
    expect((await runOn(RENAMED, diff, { base: 'main' }, { base: SHOP })).render('markdown')).toMatchInlineSnapshot(`
      "### Data model compared with \`main\`

      2 names changed, 4 references broken; 1 file changed.

      **Breaks in the model**

      - \`total\` in \`sql\` of \`orders\` (\`model/cubes/orders.yml\`)
      - \`total\` in \`measures\` of \`orders\` (\`model/cubes/orders.yml\`)
      - \`total\` in \`name\` of \`shop\` (\`model/views/shop.yml\`)
      - \`revenue\` in \`includes\` of \`shop\` (\`model/views/shop.yml\`)

      **Can break queries**

      - \`renamed orders.total → orders.sum_total\`, affects \`orders.average\`, \`orders.main\`, \`shop\`
      - \`removed measure sum shop.revenue\`, affects \`shop\`"
    `);
    const hostile = yaml`
      cubes:
        - name: "a\`](https://evil.example) @everyone\n# x"
          sql_table: t
    `;
    const comment = (await runOn(hostile, diff, {}, { base: '# file: README.yml\n' })).render('markdown');
    expect(comment).toContain("- `added cube a'](https://evil.example) @everyone # x`");
  });
});

describe('impact', () => {
  it('lists what depends on a member, direct dependents first', async () => {
    expect((await runOn(SHOP, impact, { name: 'orders.total' })).render('text')).toMatchInlineSnapshot(`
      "orders.average (measure number)  model/cubes/orders.yml:33
      orders.main (pre-aggregation)  model/cubes/orders.yml:37
      shop (view)  model/views/shop.yml:2
      shop.revenue (measure sum)  model/cubes/orders.yml:29
      4 dependents, 4 of them direct."
    `);
  });

  it('takes the uses of its members for uses of a cube', async () => {
    const { value } = await runOn(SHOP, impact, { name: 'users' });
    const names = (value as { readonly dependents: readonly { readonly name: string }[] }).dependents.map(
      ({ name }) => name,
    );
    expect(names).toEqual(expect.arrayContaining(['orders', 'orders.count', 'shop', 'shop.users_city']));
    expect(names.filter((name) => name.startsWith('users.'))).toEqual([]);
  });

  it('says that nothing depends on a name', async () => {
    expect((await runOn(SHOP, impact, { name: 'orders.average' })).render('text')).toBe(
      'Nothing in the model depends on it.',
    );
  });
});
