import { describe, expect, it } from 'vitest';
import { cloneFolderName } from '#features/folders/clone-folder.ts';

describe('the folder of a clone', () => {
  it.each([
    ['Shop analytics', 'shop-analytics'],
    ['  Größe & Co. / 2026 ', 'größe-co-2026'],
    ['../../etc', 'etc'],
    ['***', 'model'],
  ])('takes the name of the deployment: %s', (name, folder) => {
    expect(cloneFolderName(name, () => false)).toBe(folder);
  });

  it('takes the next number while there is one of that name', () => {
    const there = new Set(['shop', 'shop-2']);
    expect(cloneFolderName('Shop', (name) => there.has(name))).toBe('shop-3');
  });
});
