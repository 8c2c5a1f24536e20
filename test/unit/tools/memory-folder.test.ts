import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryRoot } from '../../tools/memory-folder.ts';

it('puts temporary files into memory only where there is room', () => {
  const folder = import.meta.dirname;
  expect(temporaryRoot(folder, 1)).toBe(folder);
  expect(temporaryRoot(folder, Number.MAX_VALUE)).toBe(tmpdir());
  expect(temporaryRoot(join(folder, 'not there'), 1)).toBe(tmpdir());
});
