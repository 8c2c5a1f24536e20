import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { js, yaml } from '#support/language/raw.ts';

type Place = 'cube' | 'join' | 'dimension' | 'measure' | 'segment' | 'filter';

const inYaml = (place: Place, sql: string): string => {
  const at = (other: Place, text: string): string => JSON.stringify(other === place ? sql : text);
  return yaml`
    cubes:
      - name: users
        sql_table: users
        joins: [{name: orders, relationship: one_to_many, sql: "{CUBE}.id = {orders.id}"}]
        dimensions: [{name: id, sql: id, type: number, primary_key: true}]
      - name: orders
        sql: ${at('cube', 'SELECT 1')}
        joins: [{name: users, relationship: many_to_one, sql: ${at('join', '{CUBE}.a = {users.id}')}}]
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: status, type: string, sql: ${at('dimension', 'a')}}
        measures:
          - {name: x, type: number, sql: ${at('measure', 'SUM(a)')}}
          - {name: y, type: count, filters: [{sql: ${at('filter', 'a')}}]}
        segments: [{name: s, sql: ${at('segment', 'a')}}]
  `;
};

const inScript = (place: Place, sql: string): string => {
  const at = (other: Place, text: string): string => `\`${(other === place ? sql : text).replaceAll('{', '${')}\``;
  return js`
    // file: m.js
    cube('users', {
      sql_table: 'users',
      joins: { orders: { relationship: 'one_to_many', sql: ${at('cube', '{CUBE}.id = {orders.id}').replace(sql, '1')} } },
      dimensions: { id: { sql: 'id', type: 'number', primary_key: true } },
    });
    cube('orders', {
      sql: ${at('cube', 'SELECT 1')},
      joins: { users: { relationship: 'many_to_one', sql: ${at('join', '{CUBE}.a = {users.id}')} } },
      dimensions: {
        id: { sql: 'id', type: 'number', primary_key: true },
        status: { type: 'string', sql: ${at('dimension', 'a')} },
      },
      measures: {
        x: { type: 'number', sql: ${at('measure', 'SUM(a)')} },
        y: { type: 'count', filters: [{ sql: ${at('filter', 'a')} }] },
      },
      segments: { s: { sql: ${at('segment', 'a')} } },
    });
  `;
};

const OWN: readonly Place[] = ['dimension', 'measure', 'segment'];
const OTHER: readonly Place[] = ['cube', 'join', 'filter'];

describe('a reference that stops before the end', () => {
  it.each([
    '{FILTER_PARAMS}',
    '{FILTER_PARAMS.orders}',
    '{CUBE.users}',
    '{TABLE.users}.x',
    '{orders.users}',
    '{users}.x',
  ])('is refused in the SQL of a member, and taken elsewhere, as both judge: %s', async (sql) => {
    for (const write of [inYaml, inScript]) {
      for (const place of OWN) expect(await verdict(write(place, sql))).toEqual({ engine: true, ours: true });
      for (const place of OTHER) expect(await verdict(write(place, sql))).toEqual({ engine: false, ours: false });
    }
  });

  it.each([
    '{users.sql()}',
    '{CUBE.sql()}',
    '{orders}.x',
    '{CUBE.users.id}',
    '{FILTER_PARAMS.orders.status.filter(1)}',
  ])('is taken where it goes far enough: %s', async (sql) => {
    for (const write of [inYaml, inScript])
      for (const place of OWN) {
        const { engine, ours } = await verdict(write(place, sql));
        expect(ours).toBe(engine);
      }
  });
});
