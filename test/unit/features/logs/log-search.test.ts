import { describe, expect, it } from 'vitest';
import { searchPattern } from '#features/logs/log-search.ts';

describe('the text that is searched for', () => {
  it.each([
    ['', 'anything', true],
    ['a.b', 'A.B', true],
    ['a.b', 'axb', false],
    ['/a.b/', 'axb', true],
    ['/a.b/', 'AXB', false],
    ['/a.b/i', 'AXB', true],
    ['[', 'x[1]', true],
  ])('%s in %s', (typed, line, isThere) => {
    const read = searchPattern(typed);
    expect(read.ok && (read.value?.test(line) ?? true)).toBe(isThere);
  });

  it('is not a broken regular expression', () => {
    expect(searchPattern('/[/')).toMatchObject({
      ok: false,
      error: expect.stringContaining('not a valid regular expression') as string,
    });
  });
});
