import { describe, expect, it } from 'vitest';
import { fileNamed, pathEndings } from '#features/logs/log-paths.ts';

describe('a file that a log names', () => {
  it('is searched for without the folders of the container, never outside', () => {
    expect(pathEndings('conf/model/orders.yml')).toEqual(['conf/model/orders.yml', 'model/orders.yml', 'orders.yml']);
    expect(pathEndings('../../etc/hosts.yml')).toEqual([]);
  });

  it.each([
    ['model/cubes/orders.yml', 'model/cubes/orders.yml'],
    ['conf/model/cubes/orders.yml', 'model/cubes/orders.yml'],
    ['orders.yml', 'model/cubes/orders.yml'],
    ['both.yml', undefined],
    ['none.yml', undefined],
  ])('%s is %s', (path, file) => {
    const files = ['model/cubes/orders.yml', 'model/cubes/both.yml', 'model/views/both.yml'];
    expect(fileNamed(files, path)).toBe(file);
  });
});
