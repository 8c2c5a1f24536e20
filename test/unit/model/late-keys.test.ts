import { describe, expect, it } from 'vitest';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { problemsOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

/** Returns a cube and a view with a line each under their other keys, which are all right. */
function modelWith(ofCube: string, ofView = ''): string {
  return yaml`
    cubes:
      - name: orders
        sql_table: orders
        dimensions: [{name: id, sql: id, type: number, primary_key: true}]
        ${ofCube}
    views:
      - name: sales
        cubes: [{join_path: orders, includes: "*"}]
        ${ofView}
  `;
}

async function verdictsOn(
  content: string,
): Promise<{ readonly isRefused: boolean; readonly errors: readonly string[] }> {
  const refusals = await (await matrixEngine()).compile([{ fileName: 'm.yml', content }]);
  const errors = problemsOf({ 'm.yml': content }).filter(({ severity }) => severity === 'error');
  return { isRefused: refusals.length > 0, errors: errors.map(({ message }) => message) };
}

// The engine converts the keys of YAML twice, so that it takes `_title` for `title` after it has read everything else.
describe('a key that the engine takes only after its second conversion', () => {
  // @shows no-false-errors
  it.each([
    ['_access_policy: [{group: admin, member_level: {includes: [nothing]}}]', ''],
    ['_access_policy: [{bogus: 1, row_level: {allow_all: 5}}]', ''],
    ['_access_policy: text', ''],
    ['_access_policy: [{group: "{1}"}]', ''],
    ['', '_access_policy: [{group: admin}]'],
    ['', '_folders: [{name: all, includes: [nothing]}]'],
    ['', '_cubes: [{join_path: nothing}]'],
    ['_dimensions: [{name: other, sql: "{nothing}", type: number}]', ''],
    ['_measures: 5', ''],
    [`_title: "{'a'}"`, ''],
    ['_title: "}"', ''],
    ['_meta: [5, {a: true}]', ''],
    ['_refresh_key: {every: 1 day}', ''],
    ['_refresh_key: {sql: "{nothing}"}', ''],
    ['_public: false', ''],
    ['_joins: [5]', ''],
    ['measures: [{name: n, type: count, _filters: [{sql: "x = 1"}]}]', ''],
    [
      'measures: [{name: n, type: number, sql: "1", multi_stage: true, _time_shift: [{interval: 1 year, type: prior}]}]',
      '',
    ],
  ])('has no error where the engine accepts it: %s%s', async (ofCube, ofView) => {
    expect(await verdictsOn(modelWith(ofCube, ofView))).toEqual({ isRefused: false, errors: [] });
  });

  // @shows errors-of-the-engine
  it.each([
    ['_title: "{CUBE}"', ''],
    [
      'measures: [{name: n, type: number, sql: "1", multi_stage: true, _time_shift: [{time_dimension: id, interval: 1 year, type: prior}]}]',
      '',
    ],
    ['_title: 5', ''],
    ['_title: f', ''],
    ['_title:', ''],
    ['_description: [a]', ''],
    ['_meta: {a: "{nothing}"}', ''],
    ['_data_source: 5', ''],
    ['_refresh_key: 5', ''],
    ['_refresh_key: {every: "{nothing}"}', ''],
    ['_public: text', ''],
    ['_public: "{CUBE}"', ''],
    ['', '_shown: text'],
    ['_joins: [{name: "{nothing}"}]', ''],
    ['_dimensions: "{nothing}"', ''],
    ['_dimensions: [{name: other, title: "{nothing}"}]', ''],
    ['_dimensions:', ''],
    ['_access_policy: [{group: "{nothing}"}]', ''],
    ['_access_policy: {group: f}', ''],
    ['_access_policy:', ''],
    ['', '_folders: [{name: "{nothing}"}]'],
  ])('has an error where the engine refuses it: %s%s', async (ofCube, ofView) => {
    const { isRefused, errors } = await verdictsOn(modelWith(ofCube, ofView));
    expect(isRefused).toBe(true);
    expect(errors).toHaveLength(1);
  });
});

describe('a reference to a member of a group that the engine takes too late', () => {
  // @shows errors-of-the-engine
  it.each([
    ['_dimensions: [{name: city, sql: city, type: string}]', 'measures: [{name: total, sql: "{city}", type: sum}]'],
    ['_dimensions: [{name: city, sql: city, type: string}]', 'hierarchies: [{name: drill, levels: [city]}]'],
    ['_measures: [{name: all, type: count}]', 'measures: [{name: total, sql: "{CUBE.all}", type: number}]'],
  ])('is an error: %s with %s', async (group, use) => {
    const { isRefused, errors } = await verdictsOn(modelWith(`${group}\n${use}`));
    expect(isRefused).toBe(true);
    expect(errors).toHaveLength(1);
  });
});
