import { globSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isModelPath } from '#model/project/model-path.ts';
import { positionOfEngineError } from '#model/engine/engine-errors.ts';
import { indexOf } from '#support/language/problems.ts';

const MATRIX = 'test/fixtures/corpora/error-matrix';
interface Expected {
  readonly cases: readonly { readonly dir: string; readonly errors: readonly { readonly message: string }[] }[];
}
const { cases } = JSON.parse(readFileSync(`${MATRIX}/expected.json`, 'utf8')) as Expected;

/** What is marked for each of the engine's own messages. */
const MARKED: Readonly<Record<string, readonly string[]>> = {
  'unknown-dim-key': ['1'],
  'bad-dim-type': ['strin'],
  'measure-no-sql': ['x'],
  'dim-no-type': ['x'],
  'bad-name': ['1bad-name'],
  'both-sql': ['orders'],
  'dup-dim': ['status'],
  'bad-ref-bare': ['nope'],
  'two-bad-refs': ['CUBE.nope'],
  'join-unknown-cube': ['orders'],
  'join-no-pk': ['orders'],
  'dup-join': ['users'],
  'drill-unknown': ['nope'],
  'pre-agg-bad-type': ['rolup'],
  'extends-unknown': ['nope'],
  'view-unknown-member': ['nope'],
  'view-own-measure': ['z'],
  'hierarchy-unknown-level': ['nope'],
  'acl-bad-operator': ['member'],
  'acl-role': ['a'],
  'default-filters-unknown': ['nope'],
  'js-bad-ref': ['CUBE.nope'],
};

describe('errors of the engine', () => {
  // @shows build-errors
  it.each(cases.filter(({ dir }) => MARKED[dir]))('find their place in $dir', ({ dir, errors }) => {
    const root = `${MATRIX}/${dir}/model/`;
    const paths = globSync(`${root}**/*`).filter((path) => statSync(path).isFile() && isModelPath(path));
    const index = indexOf(Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')])));
    const marked = errors.map(({ message }) => {
      const position = positionOfEngineError(message, index);
      return position && position.chunk.text.slice(position.start, position.end);
    });
    expect(marked).toEqual(MARKED[dir]);
  });

  it('that name nothing of the model have no place', () => {
    expect(positionOfEngineError('Something went wrong', indexOf({}))).toBeUndefined();
  });
});
