import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContentDifference, differencesOf, withRenames } from '#features/platform/gated-branch.ts';

const gone = (path: string, before = 'same'): ContentDifference => ({ path, before, after: undefined });
const added = (path: string, after = 'same'): ContentDifference => ({ path, before: undefined, after });
const shown = (files: readonly ContentDifference[]): readonly string[] =>
  withRenames(files).map(({ path, after, from }) => (after === undefined ? `- ${path}` : `${from ?? '+'} > ${path}`));

describe('files that are renamed', () => {
  it('are paired by letter case, even where several have the same bytes', () => {
    const files = [gone('a/Orders.yml'), gone('a/Users.yml'), added('a/users.yml'), added('a/orders.yml')];
    expect(shown(files)).toEqual(['a/Users.yml > a/users.yml', 'a/Orders.yml > a/orders.yml']);
  });

  it('are paired by name where their folder is another one', () => {
    const files = [gone('a/x.yml'), gone('a/y.yml'), added('b/y.yml'), added('b/x.yml')];
    expect(shown(files)).toEqual(['a/y.yml > b/y.yml', 'a/x.yml > b/x.yml']);
  });

  it('are otherwise deletions and additions', () => {
    expect(shown([gone('a.yml'), gone('b.yml'), added('c.yml', 'other')])).toEqual(['- a.yml', '- b.yml', '+ > c.yml']);
    expect(shown([gone('a.yml'), gone('b.yml'), added('c.yml')])).toEqual(['- b.yml', 'a.yml > c.yml']);
  });

  it('are found among two thousand with the same bytes', () => {
    const names = Array.from({ length: 1000 }, (_, at) => `model/cubes/C${at}.yml`);
    const files = [...names.map((name) => gone(name)), ...names.map((name) => added(name.toLowerCase()))];
    expect(withRenames(files).map(({ path, from }) => [from, path])).toEqual(
      names.map((name) => [name, name.toLowerCase()]),
    );
  });

  it('never lose a change, and never name a file twice', () => {
    const path = fc.constantFrom('a', 'A', 'b/a', 'b/A', 'c\n', '\u202ec', 'd', '__proto__', 'constructor');
    const hash = fc.option(fc.constantFrom('1', '2'), { nil: null });
    const rows = fc.uniqueArray(fc.tuple(path, hash, hash), { selector: ([name]) => name });
    fc.assert(
      fc.property(rows, (all) => {
        const files = all.filter(([, before, after]) => before !== after);
        const found = withRenames(differencesOf(JSON.stringify(files)).flatMap(unpaired));
        expect(
          found
            .flatMap(unpaired)
            .map(({ path: name }) => name)
            .toSorted(),
        ).toEqual(files.map(([name]) => name).toSorted());
        const renamed = found.filter(({ from }) => from !== undefined);
        const hashes = renamed.map(({ from }) => files.find(([old]) => old === from)?.[1]);
        expect(hashes).toEqual(renamed.map(({ after }) => after));
      }),
    );
  });
});

/** A renamed file as the deletion and the addition that it is. */
function unpaired({ from, ...file }: ContentDifference): readonly ContentDifference[] {
  return from === undefined ? [file] : [gone(from, file.after), file];
}
