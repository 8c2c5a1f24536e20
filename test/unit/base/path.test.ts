import { describe, expect, it } from 'vitest';
import { baseName, dirName, isInside, joinPath, normalizePath } from '#base/path.ts';

describe('paths', () => {
  it('reads a path with and without a leading slash as one', () => {
    expect(normalizePath('/model//cubes/orders.yml')).toBe('model/cubes/orders.yml');
    expect(normalizePath('model/cubes/orders.yml')).toBe('model/cubes/orders.yml');
  });

  it('takes paths apart and joins them', () => {
    expect([baseName('a/b.yml'), dirName('a/b.yml'), dirName('b.yml')]).toEqual(['b.yml', 'a', '']);
    expect(joinPath('', 'a', '/b/', 'c')).toBe('a/b/c');
  });

  it('knows what lies inside a folder', () => {
    expect(isInside('model/a.yml', 'model')).toBe(true);
    expect(isInside('models/a.yml', 'model')).toBe(false);
    expect(isInside('model', 'model')).toBe(true);
    expect(isInside('anything', '')).toBe(true);
  });
});
