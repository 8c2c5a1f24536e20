import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proseOf } from '../../tools/prose.ts';
import { root } from '../../tools/run.ts';

/** Longer names are not read, and hide several tests in one. */
const LONGEST = 100;

/** The names of tests in a file that are too long to be read. */
function longNames(path: string, source: string): readonly string[] {
  return proseOf(path, source).flatMap(({ kind, line, text }) =>
    kind === 'testName' && text.length > LONGEST ? [`${path}:${line} ${text.length} characters`] : [],
  );
}

const files = globSync('test/{unit,e2e,vscode}/**/*.{ts,tsx}', { cwd: root });
const found = files.flatMap((path) => longNames(path, readFileSync(join(root, path), 'utf8')));

describe('the names of tests', () => {
  it('have at most 100 characters', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it.each(['it', 'describe', 'it.each([1])', 'describe.each`a`'])('come from calls such as %s', (call) => {
    const source = (length: number): string => `${call}('${'a'.repeat(length)}', () => {});`;
    expect(longNames('a.test.ts', source(LONGEST))).toEqual([]);
    expect(longNames('a.test.ts', source(LONGEST + 1))).toEqual(['a.test.ts:1 101 characters']);
  });
});
