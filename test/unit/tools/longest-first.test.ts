import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rankOf } from '../../tools/longest-first.ts';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url)).replaceAll('\\', '/');

describe('the order of test files', () => {
  it('begins with the longest and ends with those that need another environment', () => {
    const longest = ['unit/tools/run.test.ts', 'unit/tools/gates.test.ts'];
    const files = [
      'features/logs/page/log.test.tsx',
      'tools/gates.test.ts',
      'tools/icons.test.ts',
      'tools/run.test.ts',
    ];
    expect(files.map((name) => rankOf(path(name), longest))).toEqual([3, 1, 2, 0]);
  });
});
