import { describe, expect, it } from 'vitest';
import { completion } from '#language-server/ide/completion.ts';
import { hover } from '#language-server/ide/hover.ts';
import { fixture } from './fixture.ts';
import { shopAt } from './shop.ts';

function labels(text: string): string[] {
  const { opened, offset } = fixture(text);
  const { items } = completion(opened, offset);
  return [...items]
    .sort((a, b) => (a.sortText ?? a.label).localeCompare(b.sortText ?? b.label))
    .map(({ label }) => label);
}

const CUBE = `cubes:
  - name: a
    sql_table: t
`;

describe('beside another YAML server', () => {
  it('keys and fixed values are left to it in model folders, names of the model are not', () => {
    const offered = (path: string, text: string): string[] => {
      const { opened, offset } = fixture(`#- ${path}\n${text}`);
      return completion(opened, offset, true).items.map(({ label }) => label);
    };
    const type = `${CUBE}    dimensions:\n      - name: x\n        type: $0\n`;
    // The fixture's root is called “model”.
    expect(offered('cubes/a.yml', `${CUBE}    d$0`)).toEqual([]);
    expect(offered('cubes/a.yml', type)).toEqual([]);
    expect(offered('cubes/a.yml.jinja', type)).toContain('string');
    const member = `${CUBE}    measures:\n      - {name: m, type: count, drill_members: [$0]}\n`;
    expect(offered('cubes/a.yml', member)).toContain('m');
    const zone = `${CUBE}    refresh_key:\n      every: 1 hour\n      timezone: $0\n`;
    expect(offered('cubes/a.yml', zone)).toContain('Europe/Berlin');
  });

  it('what a key means is left to it in model folders, names of the model are not', () => {
    const explains = (path: string, text: string, yieldToYaml: boolean): boolean => {
      const { opened, offset } = fixture(`#- ${path}\n${text}`);
      return hover(opened, offset, yieldToYaml) !== null;
    };
    const key = CUBE.replace('sql_table', 'sql_$0table');
    expect(explains('cubes/a.yml', key, true)).toBe(false);
    expect(explains('cubes/a.yml', key, false)).toBe(true);
    expect(explains('cubes/a.yml.jinja', key, true)).toBe(true);
    expect(explains('cubes/a.yml', CUBE.replace('name: a', 'name: $0a'), true)).toBe(true);
  });
});

describe('completion of the key of a dimension', () => {
  it('offers dimensions as the engine reads them', () => {
    const text = `${CUBE}    dimensions:\n      - {name: id, sql: id, type: number}\n      - name: x\n        sql: x\n        type: string\n        key: $0\n    measures:\n      - {name: m, type: count}\n`;
    expect(labels(text)).toEqual(['CUBE.id', 'CUBE.x']);
  });
});

describe('completion of keys', () => {
  it('offers sections at the top', () => {
    expect(labels('$0')).toEqual(expect.arrayContaining(['cubes', 'views', 'view_groups']));
  });

  it('offers what a cube may still have', () => {
    const found = labels(`${CUBE}    $0`);
    expect(found).toEqual(expect.arrayContaining(['dimensions', 'measures', 'joins', 'access_policy']));
    expect(found).not.toContain('sql_table');
    expect(found).not.toContain('shown');
  });

  it('puts what is required first', () => {
    expect(labels(`${CUBE}    measures:\n      - name: x\n        $0`)[0]).toBe('type');
    expect(labels(`${CUBE}    joins:\n      - name: x\n        $0\n`).slice(0, 2)).toEqual(['relationship', 'sql']);
  });

  it('works on a half-typed key, below a broken line', () => {
    expect(labels(`${CUBE}    dimensions:\n      - name: x\n        sql: "open\n        ty$0`)).toContain('type');
  });

  it('works inside flow mappings', () => {
    const found = labels(`${CUBE}    dimensions:\n      - {name: x, $0}`);
    expect(found).toContain('primary_key');
    expect(found).not.toContain('name');
  });

  it('offers whole definitions where one starts', () => {
    expect(labels(`${CUBE}    measures:\n      - $0`)).toEqual(expect.arrayContaining(['measure', 'ratio', 'name']));
  });

  it('reaches nested shapes', () => {
    expect(
      labels(
        `${CUBE}    access_policy:\n      - group: x\n        row_level:\n          filters:\n            - member: y\n              $0`,
      ),
    ).toEqual(['operator', 'values']);
  });

  it('also where a list stands at the column of its key', () => {
    expect(labels(`cubes:\n- name: a\n  dimensions:\n  - name: x\n    $0`)).toContain('sql');
  });
});

describe('completion of values', () => {
  it('offers the words of an enumeration', () => {
    expect(labels(`${CUBE}    measures:\n      - name: x\n        type: $0`)).toEqual(
      expect.arrayContaining(['count', 'sum', 'count_distinct']),
    );
    expect(labels(`${CUBE}    joins:\n      - {name: x, relationship: $0}`)).toEqual([
      'many_to_one',
      'one_to_many',
      'one_to_one',
    ]);
  });

  it('offers members and what can be reached inside braces', () => {
    const found = labels(shopAt('cubes/orders.yml', '{', 'total} /'));
    expect(found[0]).toBe('CUBE');
    expect(found).toEqual(expect.arrayContaining(['status', 'total', 'users', 'FILTER_PARAMS']));
  });

  it('says the kind and type of a member in each row of the list', () => {
    const { opened, offset } = fixture(`${CUBE}    measures:\n      - {name: m, type: count, drill_members: [$0]}\n`);
    const item = completion(opened, offset).items.find(({ label }) => label === 'm');
    expect(item).toMatchObject({ detail: 'measure · count', labelDetails: { description: 'measure · count' } });
  });

  it('offers the members of a cube behind its dot', () => {
    expect(labels(shopAt('cubes/orders.yml', '{users.', 'id}'))).toEqual(
      expect.arrayContaining(['id', 'city', 'count']),
    );
    expect(labels(shopAt('cubes/orders.yml', '{CUBE.', 'count}'))).toEqual(
      expect.arrayContaining(['total', 'status', 'users']),
    );
  });

  it('offers granularities behind a time dimension', () => {
    expect(labels(shopAt('cubes/orders.yml', 'granularity: ', 'day'))).toEqual(
      expect.arrayContaining(['month', 'fiscal_year']),
    );
    expect(
      labels(
        `${CUBE}    dimensions:\n      - {name: at, sql: at, type: time}\n      - {name: x, type: string, sql: "{at.$0}"}`,
      ),
    ).toContain('month');
  });

  it('offers members of the included cube, and join paths that exist', () => {
    expect(labels(shopAt('views/shop.yml', 'includes: [', 'city]'))).toEqual(
      expect.arrayContaining(['city', 'id', 'count']),
    );
    expect(labels(shopAt('views/shop.yml', 'join_path: orders.', 'users'))).toEqual(['users']);
    expect(labels(shopAt('views/shop.yml', '          - ', 'count'))).toContain('created_at');
  });

  it('offers members of the view in its folders', () => {
    expect(labels(shopAt('views/shop.yml', 'includes: [', 'users_city'))).toEqual(
      expect.arrayContaining(['users_city', 'revenue', 'status']),
    );
  });

  it('offers only measures where measures belong', () => {
    const found = labels(shopAt('cubes/orders.yml', 'measures: [', 'count'));
    expect(found).toEqual(expect.arrayContaining(['count', 'total']));
    expect(found).not.toContain('status');
  });

  it('offers cubes to join to and to extend', () => {
    expect(labels(shopAt('cubes/orders.yml', '- name: ', 'users'))).toEqual(['users']);
    expect(labels(`${CUBE}  - name: b\n    extends: $0`)).toEqual(['a']);
  });

  it('offers members in JavaScript templates', () => {
    expect(
      labels(
        '#- a.js\ncube(`a`, { sql: `select 1`, measures: { n: { type: `count` }, m: { type: `number`, sql: `${$0}` } } });',
      ),
    ).toEqual(expect.arrayContaining(['CUBE', 'n']));
  });

  it('offers nothing in plain text', () => {
    expect(labels(`${CUBE}    description: a {$0`)).toEqual([]);
  });
});
