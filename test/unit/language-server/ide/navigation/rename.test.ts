import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareRename, renameAt } from '#language-server/ide/navigation/rename.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { usagesOf } from '#model/usages/usages.ts';
import { fixture } from '#support/language/model.ts';
import { js, yaml } from '#support/language/raw.ts';
import { SHOP, shopAt } from '#support/language/shop.ts';
import { filesAfter, renamed, renameRefusal } from '#support/language/show.ts';

describe('rename', () => {
  // @shows rename
  it('reaches names whose path is put in braces, in part or whole', () => {
    const text = yaml`
      cubes:
        - name: orders
          sql_table: o
          dimensions:
            - name: sta$0tus
              sql: s
              type: string
          measures:
            - name: count
              type: count
              drill_members: ["{CUBE}.status", "{orders.status}", "\${CUBE}.status", "{orders}.{status}"]
    `;
    expect(renamed(text, 'state')).toMatchInlineSnapshot(`
      5 -       - name: status
      5 +       - name: state
      11 -         drill_members: ["{CUBE}.status", "{orders.status}", "\${CUBE}.status", "{orders}.{status}"]
      11 +         drill_members: ["{CUBE}.state", "{orders.state}", "\${CUBE}.state", "{orders}.{state}"]
    `);
  });

  // @shows rename
  it('changes a member everywhere, prefixed names included, and nothing else', () => {
    expect(renamed(shopAt('cubes/users.yml', '- name: ci'), 'town')).toMatchInlineSnapshot(`
      cubes/users.yml
      9 -       - name: city
      9 +       - name: town
      cubes/orders.yml
      28 -         drill_members: [id, status, users.city]
      28 +         drill_members: [id, status, users.town]
      39 -         dimensions: [status, users.city]
      39 +         dimensions: [status, users.town]
      views/shop.yml
      12 -         includes: [city]
      12 +         includes: [town]
      15 -         includes: [users_city, revenue]
      15 +         includes: [users_town, revenue]
    `);
  });

  // @shows rename
  it('keeps the alias of a renamed member', () => {
    expect(renamed(shopAt('cubes/orders.yml', '- name: tot'), 'amount')).toMatchInlineSnapshot(`
      cubes/orders.yml
      29 -       - name: total
      29 +       - name: amount
      34 -         sql: "{total} / NULLIF({CUBE.count}, 0)"
      34 +         sql: "{amount} / NULLIF({CUBE.count}, 0)"
      38 -         measures: [count, total]
      38 +         measures: [count, amount]
      views/shop.yml
      8 -           - name: total
      8 +           - name: amount
    `);
  });

  // @shows rename-moves-files
  it('changes a cube with the names that its prefix makes, and moves its file', () => {
    const text = shopAt('cubes/orders.yml', 'status, use');
    expect(renamed(text, 'customers', true)).toMatchInlineSnapshot(`
      cubes/users.yml
      2 -   - name: users
      2 +   - name: customers
      cubes/orders.yml
      5 -       - name: users
      5 +       - name: customers
      7 -         sql: "{CUBE.user_id} = {users.id}"
      7 +         sql: "{CUBE.user_id} = {customers.id}"
      28 -         drill_members: [id, status, users.city]
      28 +         drill_members: [id, status, customers.city]
      39 -         dimensions: [status, users.city]
      39 +         dimensions: [status, customers.city]
      views/shop.yml
      10 -       - join_path: orders.users
      10 +       - join_path: orders.customers
      15 -         includes: [users_city, revenue]
      15 +         includes: [customers_city, revenue]
      cubes/users.yml
      moved to cubes/customers.yml
    `);
  });

  it('changes overrides along with what they override', () => {
    const text = yaml`
      cubes:
        - name: base
          sql_table: t
          dimensions:
            - {name: a$0, sql: a, type: number}
        - name: child
          extends: base
          dimensions:
            - {name: a, sql: b, type: number}
          measures:
            - {name: m, type: sum, sql: "{a}"}
    `;
    expect(renamed(text, 'z')).toMatchInlineSnapshot(`
      5 -       - {name: a, sql: a, type: number}
      5 +       - {name: z, sql: a, type: number}
      9 -       - {name: a, sql: b, type: number}
      9 +       - {name: z, sql: b, type: number}
      11 -       - {name: m, type: sum, sql: "{a}"}
      11 +       - {name: m, type: sum, sql: "{z}"}
    `);
  });

  // @shows rename, scripts
  it('works in JavaScript, where quotes stay', () => {
    const text = js`
      // file: a.js
      cube(\`a\`, {
        sql: \`select 1\`,
        measures: {
          co$0unt: { type: \`count\` },
          b: { type: \`number\`, sql: \`\${count} + \${CUBE.count}\` },
        },
      });
      cube(\`b\`, { extends: a });
    `;
    expect(renamed(text, 'n')).toMatchInlineSnapshot(`
      4 -     count: { type: \`count\` },
      5 -     b: { type: \`number\`, sql: \`\${count} + \${CUBE.count}\` },
      4 +     n: { type: \`count\` },
      5 +     b: { type: \`number\`, sql: \`\${n} + \${CUBE.n}\` },
    `);
  });

  // @shows rename
  it('refuses a member that another cube has by an alias, where its uses would be lost', () => {
    const model = (rest: string): string => yaml`
      cubes:
        - name: orders
          sql_table: o
          dimensions: &dims
            - {name: id, sql: id, type: number, primary_key: true}
            - {name: st$0atus, sql: status, type: string}
          segments: [{name: open, sql: "{status} = 'open'"}]
        - name: old_orders
          sql_table: o
          dimensions: *dims
          ${rest}
    `;
    const used = model(`segments: [{name: open, sql: "{status} = 'open'"}]`);
    expect(renameRefusal(used).drawn).toBe(
      '“old_orders” has “status” by the alias *dims, and uses of it there would be lost: rename it manually.',
    );
    expect(renamed(model('title: x'), 'state')).toMatchInlineSnapshot(`
      6 -       - {name: status, sql: status, type: string}
      7 -     segments: [{name: open, sql: "{status} = 'open'"}]
      6 +       - {name: state, sql: status, type: string}
      7 +     segments: [{name: open, sql: "{state} = 'open'"}]
    `);
    expect(renamed(used.replace('&dims', '').replace('*dims', '[]'), 'state')).toMatchInlineSnapshot(`
      6 -       - {name: status, sql: status, type: string}
      7 -     segments: [{name: open, sql: "{status} = 'open'"}]
      6 +       - {name: state, sql: status, type: string}
      7 +     segments: [{name: open, sql: "{state} = 'open'"}]
    `);
  });

  it('refuses a name that is not allowed or taken', () => {
    const city = shopAt('cubes/users.yml', '- name: ci');
    expect(renameRefusal(city, '1x')).toMatchInlineSnapshot(
      `“1x” is not a name: use letters, digits and _, starting with a letter or _.`,
    );
    expect(renameRefusal(city, 'id')).toMatchInlineSnapshot(`“users” already has a dimension called “id”.`);
    expect(renameRefusal(shopAt('cubes/users.yml', 'name: use'), 'orders')).toMatchInlineSnapshot(
      `A cube is already called “orders”.`,
    );
  });

  describe('of a granularity', () => {
    const model = (at: string, more = ''): string => yaml`
      # file: cubes/orders.yml
      cubes:
        - name: orders
          sql_table: t
          dimensions:
            - name: created_at
              sql: a
              type: time
              granularities:
                - {name: ${at === 'defined' ? 'fis$0cal' : 'fiscal'}, interval: 1 year, origin: "2024-04-01"}
                - {name: half, interval: 6 months}${more}
            - {name: paid_at, sql: b, type: time, granularities: [{name: fiscal, interval: 1 year}]}
            - {name: year_of, sql: "{created_at.${at === 'named' ? 'fis$0cal' : 'fiscal'}} + {paid_at.fiscal}", type: time}
          pre_aggregations:
            - name: main
              time_dimension: created_at
              granularity: "${at === 'beside' ? 'fis$0cal' : 'fiscal'}"
            - name: other
              time_dimension: paid_at
              granularity: fiscal
      # file: views/shop.yml
      views:
        - name: shop
          cubes: [{join_path: orders, includes: [created_at]}]
      # file: more.yml
      cubes:
        - name: more
          sql_table: t
          dimensions: [{name: x, sql: "{orders.created_at.fiscal}", type: time}]
          joins: [{name: orders, relationship: many_to_one, sql: "{CUBE}.a = {orders.created_at}"}]
    `;

    // @shows rename
    it.each(['defined', 'named', 'beside'])('changes its uses, and not those of its namesake: %s', (at) => {
      expect(renamed(model(at), 'business')).toMatchInlineSnapshot(`
        cubes/orders.yml
        9 -           - {name: fiscal, interval: 1 year, origin: "2024-04-01"}
        9 +           - {name: business, interval: 1 year, origin: "2024-04-01"}
        12 -       - {name: year_of, sql: "{created_at.fiscal} + {paid_at.fiscal}", type: time}
        12 +       - {name: year_of, sql: "{created_at.business} + {paid_at.fiscal}", type: time}
        16 -         granularity: "fiscal"
        16 +         granularity: "business"
        more.yml
        4 -     dimensions: [{name: x, sql: "{orders.created_at.fiscal}", type: time}]
        4 +     dimensions: [{name: x, sql: "{orders.created_at.business}", type: time}]
      `);
    });

    it('offers the name alone', () => {
      for (const at of ['defined', 'named', 'beside']) {
        const { opened, offset } = fixture(model(at));
        expect(prepareRename(opened, offset)?.placeholder).toBe('fiscal');
      }
    });

    it('refuses names that are taken, predefined or invalid, and any name for what replaces a predefined one', () => {
      expect(renameRefusal(model('defined'), 'half')).toMatchInlineSnapshot(
        `“orders.created_at” already has a granularity called “half”.`,
      );
      expect(renameRefusal(model('defined'), 'month')).toMatchInlineSnapshot(
        `“orders.created_at” already has a granularity called “month”.`,
      );
      expect(renameRefusal(model('beside'), '1x')).toMatchInlineSnapshot(
        `“1x” is not a name: use letters, digits and _, starting with a letter or _.`,
      );
      const replaced = model('', '\n- {name: we$0ek, sql: "{CUBE}.w"}');
      expect(renameRefusal(replaced, 'weeks')).toMatchInlineSnapshot(
        `A granularity with \`sql\` replaces the predefined one of its name: “week” keeps its name.`,
      );
    });
  });

  it('offers nothing where no name stands', () => {
    const { opened, offset } = fixture(shopAt('cubes/orders.yml', 'sql: amou'));
    expect(prepareRename(opened, offset)).toBeNull();
  });

  // @shows rename-keeps-references
  it('keeps every reference: as many as before, and none of the old name', () => {
    const { index } = fixture(SHOP);
    const subjects = index
      .entities()
      .flatMap((entity) =>
        [...entity.members.values()].map((member) => ({ entity: entity.name, member: member.name })),
      );
    fc.assert(
      fc.property(fc.constantFrom(...subjects), ({ entity, member }) => {
        const model = fixture(SHOP);
        const symbol = model.index.entity(entity)?.members.get(member);
        if (!symbol) throw new Error('The shop changed.');
        const placed = model.index.placement(symbol.owner.chunk);
        const opened = model.file((placed?.file.path ?? '').replace('memory:///model/', ''));
        const before = usagesOf({ is: 'member', member: symbol }, model.index).length;
        const edit = renameAt(
          opened,
          (placed?.start ?? 0) + symbol.nameNode.start,
          'fresh_name',
          model.workspace,
          false,
        );
        const after = new ModelIndex();
        const texts = filesAfter(model, edit);
        for (const file of model.index.files())
          after.set(parseFile(file.path, texts.get(file.path.replace('memory:///model/', '')) ?? file.text));
        const moved = after.entity(entity)?.members.get('fresh_name');
        expect(moved && usagesOf({ is: 'member', member: moved }, after).length).toBe(before);
      }),
      { numRuns: 30, seed: 7 },
    );
  });
});
