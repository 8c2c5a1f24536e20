import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** Comments that hide an error of a linter or of the compiler, each with the rest of its line. */
const SUPPRESSION =
  /(?:\/\/|\/\*|\{\/\*)\s*(?<kind>(?:oxlint|eslint)-disable(?:-next-line|-line)?|@ts-(?:ignore|nocheck|expect-error))(?<rest>.*)/g;

/** What is wrong with the suppressions of a file. */
function unreasoned(path: string, text: string): readonly string[] {
  return [...text.matchAll(SUPPRESSION)].flatMap(({ groups: { kind = '', rest = '' } = {} }) => {
    if (/@ts-(?:ignore|nocheck)/.test(kind)) return [`${path}: ${kind} hides errors that come later`];
    const reason = kind.startsWith('@ts') ? rest : (/ -- (.*)/.exec(rest)?.[1] ?? '');
    return reason
      .replace(/\*\/.*/, '')
      .trim()
      .split(/\s+/).length < 2
      ? [`${path}: ${kind} without a reason`]
      : [];
  });
}

describe('a suppressed error', () => {
  it('has its reason beside it', () => {
    const paths = globSync('{src,test}/**/*.{ts,tsx,mjs}', { cwd: root, exclude: ['test/fixtures/**'] });
    expect(paths.length).toBeGreaterThan(2000);
    const own = join('test', 'unit', 'tools', 'suppressions.test.ts');
    const read = (path: string): string => readFileSync(join(root, path), 'utf8');
    expect(paths.filter((path) => path !== own).flatMap((path) => unreasoned(path, read(path)))).toEqual([]);
  });

  it.each([
    ['// oxlint-disable-next-line no-console', ['a.ts: oxlint-disable-next-line without a reason']],
    ['/* eslint-disable no-console -- x */', ['a.ts: eslint-disable without a reason']],
    ['{/* oxlint-disable-line no-console */}', ['a.ts: oxlint-disable-line without a reason']],
    ['// @ts-expect-error', ['a.ts: @ts-expect-error without a reason']],
    ['// @ts-ignore the types of this package are wrong', ['a.ts: @ts-ignore hides errors that come later']],
    ['// oxlint-disable-next-line no-console -- the command line prints', []],
  ])('is found where its reason is missing: %s', (text, found) => {
    expect(unreasoned('a.ts', text)).toEqual(found);
  });
});
