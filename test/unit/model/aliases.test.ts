import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { verdict } from '#support/language/injected/verdict.ts';
import { indexOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

const cube = (rest: string): string => yaml`
  cubes:
    - name: orders
      sql_table: orders
      dimensions: &dimensions
        - &id {name: id, sql: id, type: number, primary_key: true}
        - name: status
          sql: &status "{CUBE}.status"
          type: &string string
          meta: &meta {since: 2020-01-01, of: [a, 'b: c'], nothing: , title: x}
      ${rest}
`;

describe('values behind an alias', () => {
  it.each([
    ['measures: [{name: count, type: count, drill_members: [*string ]}]', true],
    ['measures: [{name: count, type: count, title: *string , meta: *meta }]', false],
    ['measures: [{name: count, type: *string , sql: *status }]', false],
    ['measures: [{name: count, type: *status }]', true],
    ['measures: *dimensions', true],
    ['measures: *id', true],
    ['segments: [*id ]', true],
    ['segments: [{name: *string , sql: *status }]', false],
    ['segments: [{name: *status , sql: *status }]', true],
    ['*string : x', true],
    ['title: *meta', true],
  ])('are judged as by the engine: %s', async (rest, isRefused) => {
    expect(await verdict(cube(rest))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it.each([
    ['- *id', true],
    ['- {<<: *id , name: other}', false],
    ['- {<<: [*meta , *id ], name: other}', true],
    ['- {<<: [{name: other}, *id ]}', false],
    ['- {<<: *id }', true],
    ['- {name: a, <<: *meta }', true],
    ['- name: other\n  <<: *id\n  primary_key: false', false],
    ['- <<: *id\n  name: other\n  <<: *meta', true],
    ['- <<: {}\n  name: other\n  sql: a\n  type: number', false],
    ['- <<: {}\n  name: other', true],
  ])('are judged as by the engine where a mapping is merged: %s', async (item, isRefused) => {
    const model = yaml`
      cubes:
        - name: orders
          sql_table: orders
          meta: &meta {titel: x}
          dimensions:
            - &id
              name: id
              sql: id
              type: number
            ${item}
    `;
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });

  it.each([
    ['meta: &a {x: *a }', true],
    ['meta: &a [1, *a ]', true],
    ['meta: {? &a b : *a }', false],
    ['meta: &a {x: &a 1, y: *a }', false],
  ])('are judged as by the engine where a value may contain itself: %s', async (meta, isRefused) => {
    expect(await verdict(cube(meta))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('are judged as by the engine where a cube is merged into another one', async () => {
    const model = (member: string): string => yaml`
      cubes:
        - &orders
          name: orders
          sql_table: orders
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
        - <<: *orders
          name: old_orders
          joins: [{name: orders, relationship: one_to_one, sql: "{CUBE.id} = {orders.${member}}"}]
          measures: [{name: count, type: count, drill_members: [${member}]}]
    `;
    expect(await verdict(model('id'))).toEqual({ engine: false, ours: false });
    expect(await verdict(model('nothing'))).toEqual({ engine: true, ours: true });
  });

  it('are reported at the alias, or once at the anchor if it is wrong there, too', () => {
    const model = yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions:
            - {name: id, sql: &sql "{nothing}", type: &type number}
            - {name: other, sql: *sql , type: *type }
          measures: [{name: total, sql: *sql , type: *sql }]
    `;
    const index = indexOf({ 'a.yml': model });
    const found = [...index.files()].flatMap((file) => fileProblems(file, index));
    expect(found.map(({ problem: { code }, start, end }) => [code, model.slice(start, end), start])).toEqual([
      ['unknown-reference', 'nothing', model.indexOf('nothing')],
      ['bad-value', '*sql', model.lastIndexOf('*sql')],
    ]);
  });

  it('are left alone in a text that they would make very long', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at} , *a${at} ]`);
    const model = yaml`
      cubes:
        - name: orders
          sql_table: orders
          meta:
            a0: &a0 x
            ${lines.join('\n')}
    `;
    const index = indexOf({ 'a.yml': model });
    expect([...index.files()].flatMap((file) => fileProblems(file, index))).toEqual([]);
  });
});

describe('a list as a key', () => {
  it.each([
    ['[title]: x', false],
    ['# A note.\n[title]: x', false],
    ['? [title]\n: x', false],
    ['[titel]: x', true],
    ['[title, x]: x', true],
    ['{title}: x', true],
  ])('is read as by the engine: %s', async (rest, isRefused) => {
    expect(await verdict(cube(rest))).toEqual({ engine: isRefused, ours: isRefused });
  });
});
