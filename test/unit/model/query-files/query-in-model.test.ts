import { describe, expect, it } from 'vitest';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import { movedQuery, queryFolder } from '#model/query-files/query-folder.ts';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import { realEngine } from '#support/real-engine.ts';
import { QUERIED, queriedModel } from '#support/language/queries.ts';
import { yaml } from '#support/language/raw.ts';

const engine = realEngine();

const query = yaml`
  title: Orders
  query:
    measures: [orders.count]
`;
const found = (text: string): readonly string[] =>
  queryProblems(parseQueryFile(text), queriedModel(), true).map(
    ({ problem, severity, start, end }) => `${severity} ${problem.code} at ${text.slice(start, end)}`,
  );

describe('a query file in the folder of the model', () => {
  it.each([
    query,
    'sql: SELECT 1\n',
    yaml`
    tests: []
    query: {measures: [orders.count]}
  `,
  ])('is refused by the engine and reported: %j', async (text) => {
    const files = [
      { fileName: 'shop.yml', content: QUERIED },
      { fileName: 'orders.query.yml', content: text },
    ];
    const compiled = await engine.compile(files, {});
    const keys = [...text.matchAll(/^\w+(?=:)/gm)].map(([key]) => key);
    const refusals = keys.map(
      (key) => `Unexpected YAML key: ${key}. Only 'cubes', 'views', and 'view_groups' are allowed here.`,
    );
    expect(compiled.ok ? '' : compiled.errorText.trim().split('\n')).toEqual([
      'Compile errors:',
      'orders.query.yml Errors:',
      ...refusals,
    ]);
    const [first = ''] = keys;
    expect(found(text)).toEqual([`error query-in-model at ${first}`]);
  });

  it.each(['', '# Nothing yet\n'])('is accepted and not reported while it is empty: %j', async (text) => {
    const files = [
      { fileName: 'shop.yml', content: QUERIED },
      { fileName: 'orders.query.yml', content: text },
    ];
    expect(await engine.compile(files, {})).toMatchObject({ ok: true });
    expect(found(text)).toEqual([]);
  });

  it('is not reported beside the model', () => {
    expect(queryProblems(parseQueryFile(query), queriedModel())).toEqual([]);
  });

  it.each([
    ['file:///shop/model', 'file:///shop/queries'],
    ['/shop/a/schema', '/shop/a/queries'],
    // What is beside another folder is not known.
    ['file:///shop', undefined],
    ['file:///shop/remodel', undefined],
    ['model', undefined],
  ])('of %s belongs to %s', (model, folder) => {
    expect(queryFolder(model)).toBe(folder);
  });

  it('of a model that lies in a project is beside it, whatever it is called', () => {
    expect(queryFolder('file:///shop/semantic', 'inside')).toBe('file:///shop/queries');
    expect(queryFolder('/semantic', 'inside')).toBe('/queries');
  });

  it('of a folder that is a model as a whole, under a name of its own, has a folder of that name', () => {
    expect(queryFolder('file:///work/semantic', 'whole')).toBe('file:///work/queries/semantic');
    expect(queryFolder('file:///work/model', 'whole')).toBe('file:///work/queries');
    expect(queryFolder('/workspace', 'whole')).toBe('/queries/workspace');
    expect(queryFolder('/', 'whole')).toBe(undefined);
  });

  it('moves there under a name that no other file has', () => {
    const taken = new Set(['/shop/queries/a.query.yaml', '/shop/queries/a-2.query.yaml']);
    const moved = (path: string): string => movedQuery(path, '/shop/queries', (each) => taken.has(each));
    expect(moved('/shop/model/deep/b.query.yml')).toBe('/shop/queries/b.query.yml');
    expect(moved('/shop/model/a.query.yaml')).toBe('/shop/queries/a-3.query.yaml');
  });
});
