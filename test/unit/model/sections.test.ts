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
