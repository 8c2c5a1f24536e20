import { describe, expect, it } from 'vitest';
import { js, yaml } from '#support/language/raw.ts';
import { problemsOf } from '#support/language/problems.ts';
import { actionsIn, actionTitles, afterAction, problems, textAfter } from '#support/language/show.ts';

/** A cube with more below its table. */
const cube = (rest: string): string => yaml`
  cubes:
    - name: a
      sql_table: t
      ${rest}
`;

describe('a quick fix', () => {
  // @shows quick-fixes
  it('corrects a misspelt key', () => {
    expect(afterAction(cube('dimension: []'), 'Change to `dimensions`')).toMatchInlineSnapshot(`
      4 -     dimension: []
      4 +     dimensions: []
    `);
  });

  it('corrects a misspelt type', () => {
    const text = cube('dimensions: [{name: x, sql: x, type: strng}]');
    expect(afterAction(text, 'Change to `string`')).toMatchInlineSnapshot(`
      4 -     dimensions: [{name: x, sql: x, type: strng}]
      4 +     dimensions: [{name: x, sql: x, type: string}]
    `);
  });

  it('corrects a misspelt member', () => {
    const text = cube(yaml`
      dimensions:
        - {name: status, sql: x, type: string}
      measures:
        - {name: m, type: count, drill_members: [statis]}
    `);
    expect(afterAction(text, 'Change to `status`')).toMatchInlineSnapshot(`
      7 -       - {name: m, type: count, drill_members: [statis]}
      7 +       - {name: m, type: count, drill_members: [status]}
    `);
  });

  it('puts the current key in place of a deprecated one', () => {
    expect(afterAction(cube('shown: false'), 'Change to `public`')).toMatchInlineSnapshot(`
      4 -     shown: false
      4 +     public: false
    `);
  });

  it('puts the current value in place of a deprecated one', () => {
    const text = cube('joins: [{name: a, relationship: belongs_to, sql: "{a.x}"}]');
    expect(afterAction(text, 'Change to `many_to_one`')).toMatchInlineSnapshot(`
      4 -     joins: [{name: a, relationship: belongs_to, sql: "{a.x}"}]
      4 +     joins: [{name: a, relationship: many_to_one, sql: "{a.x}"}]
    `);
  });

  it('puts a boolean in place of another word for it', () => {
    expect(afterAction(cube('public: yes'), 'Change to `true`')).toMatchInlineSnapshot(`
      4 -     public: yes
      4 +     public: true
    `);
  });

  it('quotes a title that looks like a number', () => {
    expect(afterAction(cube('title: 2024'), 'Put it in quotes')).toMatchInlineSnapshot(`
      4 -     title: 2024
      4 +     title: "2024"
    `);
  });

  it.each([
    ['a type', 'dimensions: [{name: x, sql: x, type: 5}]', '`5` is not allowed here. Use one of: string, number, '],
    [
      'all members',
      'access_policy: [{group: g, member_level: {includes: 5}}]',
      '`5` is not allowed here. Write a list of names, or "*" for all.',
    ],
    [
      'a name of all',
      'access_policy: [{group: g, member_level: {includes: id}}]',
      '`id` is not allowed here. Write a list of names, or "*" for all.',
    ],
  ])('puts no quotes around what is not allowed as a text either: %s', (_, rest, message) => {
    const found = problemsOf({ 'm.yml': cube(rest) });
    expect(found.map((each) => each.message.slice(0, message.length))).toEqual([message]);
    const text = cube(rest).replace(/(type|includes): (\w+)/, '$1: $$0$2');
    expect(actionsIn(text).map(({ title }) => title)).toEqual([]);
  });

  it('quotes SQL that begins with a brace', () => {
    const text = yaml`
      cubes:
        - name: a
          sql: {CUBE}.x
    `;
    expect(afterAction(text, 'Put the SQL in quotes')).toMatchInlineSnapshot(`
      3 -     sql: {CUBE}.x
      3 +     sql: "{CUBE}.x"
    `);
  });

  it('adds a missing key', () => {
    const text = cube(yaml`
      measures:
        - name: m
          sql: x
    `);
    expect(afterAction(text, 'Add `type`')).toMatchInlineSnapshot(`7 +         type: count`);
  });

  it('removes one of two keys that exclude each other', () => {
    expect(afterAction(cube('sql: select 1'), 'Remove `sql`')).toMatchInlineSnapshot(`4 -     sql: select 1`);
  });

  it('prefixes the members of one of two cubes that clash in a view', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - {name: id, sql: id, type: number}
        - name: b
          sql_table: t
          dimensions:
            - {name: id, sql: id, type: number}
      views:
        - name: v
          cubes:
            - join_path: a
              includes: "*"
            - join_path: b
              includes: "*"
    `;
    expect(afterAction(text, 'Add `prefix: true`')).toMatchInlineSnapshot(`17 +         prefix: true`);
  });

  // @shows quick-fixes
  it('can mend everything that has an obvious fix at once', () => {
    const text = cube(yaml`
      shown: false
      titel: x
    `);
    expect(afterAction(text, 'Fix all problems')).toMatchInlineSnapshot(`
      4 -     shown: false
      5 -     titel: x
      4 +     public: false
      5 +     title: x
    `);
    expect(problems(textAfter(text, 'Fix all problems'))).toMatchInlineSnapshot(`nothing`);
  });

  it('comes with a comment that switches the problem off', () => {
    expect(actionTitles(cube('shown: false'))).toMatchInlineSnapshot(`
      Change to \`public\`
      Ignore \`deprecated\` on this line
      Fix all problems that have an obvious fix
    `);
  });

  // @shows quick-fixes
  it('stays away from a code that is switched off', () => {
    expect(actionsIn(cube('shown: false'), 'file', { deprecated: 'off' }).map(({ title }) => title)).toEqual([]);
  });
});

describe('a quick fix in a script', () => {
  it('keeps the quotes of a value', () => {
    const text = js`
      // file: a.js
      cube(\`a\`, { sql: \`x\`, measures: { c: { type: \`coun\` } } });
    `;
    expect(afterAction(text, 'Change to `count`')).toMatchInlineSnapshot(`
      1 - cube(\`a\`, { sql: \`x\`, measures: { c: { type: \`coun\` } } });
      1 + cube(\`a\`, { sql: \`x\`, measures: { c: { type: \`count\` } } });
    `);
  });

  it('takes the quotes of a cube away', () => {
    const text = js`
      // file: a.js
      cube(\`a\`, { sql: \`x\` });
      cube(\`b\`, { extends: \`a\` });
    `;
    expect(actionTitles(text)).toMatchInlineSnapshot(`
      Change to \`a\`
      Fix all problems that have an obvious fix
    `);
  });
});

describe('a comment that switches a problem off', () => {
  it('goes above the line', () => {
    const text = cube('shown: false');
    expect(afterAction(text, 'Ignore `deprecated`')).toMatchInlineSnapshot(`4 +     # modelbench-ignore: deprecated`);
    expect(problems(textAfter(text, 'Ignore `deprecated`'))).toMatchInlineSnapshot(`nothing`);
  });

  it('holds on the line itself, for all codes', () => {
    expect(problems(cube('shown: true # modelbench-ignore'))).toMatchInlineSnapshot(`nothing`);
  });

  // @shows ignore-comments
  it('holds for the codes that it names, and no others', () => {
    const text = cube(yaml`
      # modelbench-ignore: unknown-key
      shown: true
      # modelbench-ignore: deprecated
      shown: true
    `);
    expect(problems(text)).toMatchInlineSnapshot(`
      5     shown: true
            ~~~~~ hint deprecated: \`shown\` is the old name of \`public\`.
      7     shown: true
            ~~~~~ error duplicate-key: \`shown\` appears twice.
    `);
  });

  it('holds for a whole file', () => {
    const text = yaml`
      # modelbench-ignore-file: deprecated
      cubes:
        - name: a
          sql_table: t
          title: a
          shown: true
    `;
    expect(problems(text)).toMatchInlineSnapshot(`nothing`);
  });
});
