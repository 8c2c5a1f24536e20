import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

const models = (type: string): Readonly<Record<string, string>> => ({
  'a key with escapes': yaml`
    "cub\u0065s":
      - name: a
        sql_table: t
        dimensions: [{name: b, sql: b, type: ${type}}]
  `,
  'a key with an escape in a flow mapping': yaml`
    {"\x63ubes": [{name: a, sql_table: t, dimensions: [{name: b, sql: b, type: ${type}}]}]}
  `,
  'contents on the line of the marker': yaml`
    --- {cubes: [{name: a, sql_table: t, dimensions: [{name: b, sql: b, type: ${type}}]}]}
  `,
  'a note on the line of the marker': yaml`
    --- # cubes: []
    cubes:
      - {name: a, sql_table: t, dimensions: [{name: b, sql: b, type: ${type}}]}
  `,
  'a merge': yaml`
    <<: {cubes: [{name: a, sql_table: t, dimensions: [{name: b, sql: b, type: ${type}}]}]}
  `,
  'a merge below another section': yaml`
    views: []
    <<:
      cubes:
        - {name: a, sql_table: t, dimensions: [{name: b, sql: b, type: ${type}}]}
  `,
  'a merge in a cube': yaml`
    cubes:
      - <<:
          sql_table: t
          dimensions: [{name: b, sql: b, type: ${type}}]
        name: a
  `,
  'a merge of a list in a member': yaml`
    cubes:
      - name: a
        sql_table: t
        dimensions:
          - {<<: [{sql: b}, {type: ${type}}], name: b}
  `,
});

describe('a section', () => {
  it.each(Object.keys(models('')))('is judged as by the engine with %s', async (name) => {
    expect(await verdict(models('string')[name] ?? '')).toEqual({ engine: false, ours: false });
    expect(await verdict(models('strin')[name] ?? '')).toEqual({ engine: true, ours: true });
  });
});

describe('a name over several lines', () => {
  const model = yaml`
    cubes:
      - name: "or\
          ders"
        sql_table: t
        measures: [{name: count, type: count}]
    views:
      - name: v
        cubes: [{join_path: orders, includes: [count]}]
  `;

  it.each(['\n', '\r\n'])('is one name if a backslash joins them, with the line break %j', async (end) => {
    const text = model.replaceAll('\n', end);
    expect(await verdict(text)).toEqual({ engine: false, ours: false });
    expect(problemsOf({ 'm.yml': text })).toEqual([]);
  });
});

describe('a second document in a file', () => {
  const cube = (name: string): string => `cubes: [{name: ${name}, sql_table: t}]\n`;
  const marker = 'A model file is one document: put this into a file of its own, or remove the marker.';
  const twice = '`cubes` appears twice in this file: put all entries under one.';

  it.each([
    [`${cube('a')}---\n${cube('b')}`, [`2 ${marker}`]],
    [`${cube('a')}---\n${cube('b')}---\n${cube('c')}`, [`2 ${marker}`, `4 ${marker}`]],
    [`${cube('a')}---\n`, [`2 ${marker}`]],
    [`---\n${cube('a')}---\n${cube('b')}`, [`3 ${marker}`]],
    [`cubes:\n  - name: a\n    sql_table: t\n---\ncubes:\n  - name: b\n    sql_table: t\n`, [`4 ${marker}`]],
    [`cubes:\n  - name: a\n    sql: >\n      select 1\n---\nhello\n`, [`5 ${marker}`]],
    [`${cube('a')}---\n${cube('b')}${cube('c')}`, [`2 ${marker}`, `4 ${twice}`]],
    [`---\n${cube('a')}...\n`, []],
  ])('is reported once, at its marker: %j', async (text, expected) => {
    const problems = problemsOf({ 'model/a.yml': text }).filter(({ severity }) => severity === 'error');
    expect(problems.map(({ line, message }) => `${line} ${message}`).toSorted()).toEqual(expected);
    expect((await verdict(text)).engine).toBe(expected.length > 0);
  });
});
