import { describe, expect, it } from 'vitest';
import { baseName, dirName, isInside, joinPath, leavesFolder, normalizePath, pathInside } from '#base/path.ts';

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

  it.each([
    { path: 'model/a.yml', folder: 'model/', inside: 'a.yml' },
    { path: 'models/a.yml', folder: 'model/', inside: undefined },
    { path: '/a', folder: '/', inside: 'a' },
    { path: 'Model/a.yml', folder: 'model', inside: undefined },
    { path: 'model', folder: 'model', inside: '' },
    { path: 'model/../a.yml', folder: 'model', inside: '../a.yml' },
    { path: 'a.yml', folder: '', inside: 'a.yml' },
  ])('returns $inside for $path in “$folder”', ({ path, folder, inside }) => {
    expect(pathInside(path, folder)).toBe(inside);
    expect(isInside(path, folder)).toBe(inside !== undefined);
  });

  it('separates by what the system separates by', () => {
    expect(isInside('C:\\model\\a.yml', 'C:\\model', '\\')).toBe(true);
    expect(isInside('C:\\models\\a.yml', 'C:\\model', '\\')).toBe(false);
    expect(isInside('C:\\a.yml', 'C:\\', '\\')).toBe(true);
  });

  it('leads out of a folder by “..” and to a root, not by a name that begins with dots', () => {
    expect(['..', '../a', '/a', 'C:\\a', '\\\\server\\a'].every((path) => leavesFolder(path))).toBe(true);
    expect(['', 'a', '..a', '...', 'a/..', '..\\a'].some((path) => leavesFolder(path))).toBe(false);
    expect(leavesFolder('..\\a', '\\')).toBe(true);
  });
});
