import { describe, expect, it } from 'vitest';
import { fixture } from '#support/language/model.ts';
import { yaml } from '#support/language/raw.ts';
import { shopAt } from '#support/language/shop.ts';
import { actionsIn, actionTitles, afterAction } from '#support/language/show.ts';

/** A cube that joins another one, which has these dimensions. */
const joined = (dimensions: string): string => yaml`
  # file: orders.yml
  cubes:
    - name: orders
      sql_table: orders
      joins:
        - name: us$0ers
          relationship: many_to_one
          sql: "{CUBE}.user_id = {users}.id"
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
  # file: users.yml
  cubes:
    - name: users
      sql_table: users
      ${dimensions}
      measures:
        - name: count
          type: count
`;

describe('a fix for a missing primary key that joins need', () => {
  // @shows quick-fixes
  it('marks the dimension that looks like it, in another file', () => {
    const model = joined(yaml`
      dimensions:
        - name: city
          sql: city
          type: string
        - name: id
          sql: id
          type: number
    `);
    expect(actionTitles(model, 'cursor')).toMatchInlineSnapshot(`
      Make \`id\` the primary key of \`users\`
      Create a view of \`users\`
    `);
    expect(afterAction(model, 'Make `id` the primary key of `users`', 'cursor')).toMatchInlineSnapshot(`
      users.yml
      11 +         primary_key: true
    `);
  });

  // @shows quick-fixes
  it('marks a dimension in a flow mapping that is named after the cube', () => {
    const model = joined(yaml`
      dimensions:
        - {name: user_id, sql: id, type: number}
    `);
    expect(actionTitles(model, 'cursor')).toMatchInlineSnapshot(`
      Make \`user_id\` the primary key of \`users\`
      Create a view of \`users\`
    `);
    expect(afterAction(model, 'Make `user_id` the primary key of `users`', 'cursor')).toMatchInlineSnapshot(`
      users.yml
      5 -       - {name: user_id, sql: id, type: number}
      5 +       - {name: user_id, sql: id, type: number, primary_key: true}
    `);
  });

  // @shows quick-fixes
  it('adds a dimension to the list', () => {
    const model = joined(yaml`
      dimensions: # known
        - name: city
          sql: city
          type: string
    `);
    expect(actionTitles(model, 'cursor')).toMatchInlineSnapshot(`
      Add a primary key \`id\` to \`users\`
      Create a view of \`users\`
    `);
    expect(afterAction(model, 'Add a primary key `id` to `users`', 'cursor')).toMatchInlineSnapshot(`
      users.yml
      5 +       - name: id
      6 +         sql: id
      7 +         type: number
      8 +         primary_key: true
    `);
  });

  // @shows quick-fixes
  it('adds a list of dimensions', () => {
    const model = joined('# no dimensions');
    expect(actionTitles(model, 'cursor')).toMatchInlineSnapshot(`
      Add a primary key \`id\` to \`users\`
      Create a view of \`users\`
    `);
    expect(afterAction(model, 'Add a primary key `id` to `users`', 'cursor')).toMatchInlineSnapshot(`
      users.yml
      4 +     dimensions:
      5 +       - name: id
      6 +         sql: id
      7 +         type: number
      8 +         primary_key: true
    `);
  });

  it('ends the problem', () => {
    const model = joined(yaml`
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
    `);
    expect(actionsIn(model, 'cursor').flatMap(({ diagnostics }) => diagnostics ?? [])).toEqual([]);
  });
});

describe('Create a view of a cube', () => {
  // @shows extract-view
  it('makes a file with the cubes that it joins without multiplying rows', () => {
    const model = shopAt('cubes/orders.yml', '- name: ord');
    expect(actionTitles(model, 'cursor')).toMatchInlineSnapshot(`Create a view of \`orders\``);
    expect(afterAction(model, 'Create a view of `orders`', 'cursor')).toMatchInlineSnapshot(`
      views/orders_view.yml
      1 + views:
      2 +   - name: orders_view
      3 +     cubes:
      4 +       - join_path: orders
      5 +         includes: "*"
      6 +       - join_path: orders.users
      7 +         prefix: true
      8 +         includes: "*"
      9 +
    `);
    expect(actionsIn(model, 'cursor')[0]?.edit?.documentChanges?.[0]).toEqual({
      kind: 'create',
      uri: 'memory:///model/views/orders_view.yml',
      options: { ignoreIfExists: true },
    });
  });

  // @shows extract-view
  it('adds to the end of the file where no file can be made', () => {
    const model = yaml`
      cubes:
        - name: a$0
          sql_table: t
    `;
    expect(afterAction(model, 'Create a view', 'cursor, without new files')).toMatchInlineSnapshot(`
      4 + views:
      5 +   - name: a_view
      6 +     cubes:
      7 +       - join_path: a
      8 +         includes: "*"
    `);
  });

  // @shows extract-view
  it('adds to the views that the file has, under a free name', () => {
    const model = yaml`
      cubes:
        - name: a$0
          sql_table: t
      views:
        - name: a_view
          cubes:
            - join_path: a
              includes: "*"
    `;
    expect(afterAction(model, 'Create a view', 'cursor, without new files')).toMatchInlineSnapshot(`
      5 -   - name: a_view
      5 +   - name: a_view_2
      9 +   - name: a_view
      10 +     cubes:
      11 +       - join_path: a
      12 +         includes: "*"
    `);
  });

  it('needs a cube at the cursor', () => {
    expect(actionTitles(shopAt('views/shop.yml', '- name: sh'), 'cursor')).toMatchInlineSnapshot(`nothing`);
    expect(actionTitles(shopAt('cubes/orders.yml', '- name: tot'), 'cursor')).toMatchInlineSnapshot(`nothing`);
  });

  it('needs a file of a model', () => {
    const { opened, ...model } = fixture(shopAt('cubes/orders.yml', '- name: ord'));
    const standalone = { ...model, opened: { ...opened, root: { ...opened.root, isStandalone: true } } };
    expect(actionTitles(standalone, 'cursor')).toMatchInlineSnapshot(`nothing`);
  });
});
