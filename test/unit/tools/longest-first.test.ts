import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { ViteUserConfig } from 'vitest/config';
import { rankOf } from '../../tools/longest-first.ts';
import { root } from '../../tools/run.ts';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url)).replaceAll('\\', '/');

describe('the order of test files', () => {
  it('begins with the longest and ends with those that reload modules, and that need another environment', () => {
    const longest = ['unit/tools/run.test.ts', 'unit/tools/gates.test.ts'];
    const files = [
      'features/logs/page/log.test.tsx',
      'features/chat/vscode/results.test.ts',
      'tools/gates.test.ts',
      'tools/icons.test.ts',
      'tools/run.test.ts',
    ];
    expect(files.map((name) => rankOf(path(name), longest))).toEqual([4, 3, 1, 2, 0]);
  });

  it.each(['vitest.config.ts', 'test/e2e/vitest.config.ts'])('is random where %s is asked for that', async (config) => {
    const isOurs = async (...options: string[]): Promise<boolean> => {
      vi.resetModules();
      vi.stubGlobal('process', { ...process, argv: ['node', 'vitest', 'run', ...options] });
      const { default: read } = (await import(join(root, config))) as { readonly default: ViteUserConfig };
      return read.test?.sequence?.sequencer !== undefined;
    };
    expect(await isOurs()).toBe(true);
    expect(await isOurs('--sequence.shuffle.files')).toBe(false);
    expect(await isOurs('--sequence.shuffle.files=true', '--sequence.seed', '7')).toBe(false);
    expect(await isOurs('--sequence.shuffle')).toBe(false);
  });
});
