import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** A limit for one test or one wait, and waits of vitest that give up after a second: a busy machine exceeds them. */
const ownLimit = /\btimeout: *(?:[1-9]|[A-Z][A-Z_])|\bvi\.wait(?:For|Until)\(|^ *\}, \d[\d_]*_000\);$/;

const limitsIn = (text: string): readonly string[] => text.split('\n').filter((line) => ownLimit.test(line));

describe('the limits of tests', () => {
  it('come from test/tools/limits.ts: no test has one of its own', () => {
    const paths = ['unit', 'e2e', 'vscode', 'support'].flatMap((folder) =>
      readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && name !== join('tools', 'limits.test.ts'))
        .map((name) => join('test', folder, name)),
    );
    expect(paths.length).toBeGreaterThan(500);
    const found = paths.flatMap((path) =>
      limitsIn(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    "  it('works', { timeout: 120_000 }, async () => {",
    "  it('works', { timeout: PATIENCE_MS }, async () => {",
    '  await page.getByText(text).waitFor({ timeout: 5000 });',
    '  await vi.waitFor(() => expect(asked).toBe(1));',
    '  }, 120_000);',
  ])('would be found: %s', (line) => {
    expect(limitsIn(line)).toEqual([line]);
  });

  it.each(['await page.click({ timeout: 0 });', 'expect(limits).toEqual({ timeout: undefined });'])(
    'do not appear in: %s',
    (line) => {
      expect(limitsIn(line)).toEqual([]);
    },
  );
});
