import { describe, expect, it } from 'vitest';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';

const cube = (sql: string, more = ''): string =>
  `cubes:\n  - name: a\n    sql_table: t\n    dimensions:\n      - {name: x, sql: "${sql}", type: string}\n${more}`;

const filter = (member: string): string =>
  `    access_policy:\n      - role: '*'\n        row_level:\n          filters:\n            - {member: ${member}, operator: set}\n`;

/** Whether other files must be checked again when one text becomes another. */
function isNoticed(before: string, after: string, path = 'a.yml'): boolean {
  const index = new ModelIndex();
  index.set(parseFile(path, before));
  const { structure } = index;
  index.set(parseFile(path, after));
  return index.structure !== structure;
}

describe('what the rest of a model can notice of a change', () => {
  it.each(['{a}.x', '{ a }.x', "f({a}, 'y')"])('includes that a member reads columns of its own table: %s', (sql) => {
    expect(isNoticed(cube('x'), cube(sql))).toBe(true);
  });

  it.each(['y', '{CUBE}.x', '{b}.x', 'aa.x', 'a'])('does not include what else its SQL says: %s', (sql) => {
    expect(isNoticed(cube('x'), cube(sql))).toBe(false);
  });

  it('includes that a member named with its cube filters rows', () => {
    expect(isNoticed(cube('x', filter('x')), cube('x', filter('a.x')))).toBe(true);
    expect(isNoticed(cube('x', filter('x')), cube('x', filter('y')))).toBe(false);
  });

  it('includes the names of members that functions of a script make', () => {
    const made = (members: string): string => `cube('a', { sql_table: 't', measures: { ${members} } });`;
    expect(isNoticed(made('total: make()'), made('sum: make()'), 'a.js')).toBe(true);
    expect(isNoticed(made('total: make()'), made('total: make(1)'), 'a.js')).toBe(false);
  });
});
