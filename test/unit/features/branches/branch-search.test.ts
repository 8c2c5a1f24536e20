import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BranchFile } from '#features/folders/branch-files.ts';
import { searchTree } from '#features/branches/branch-search.ts';
import { yaml } from '#support/language/raw.ts';

const tree = (files: Readonly<Record<string, string>>): ReadonlyMap<string, BranchFile> =>
  new Map(Object.entries(files).map(([path, content]) => [path, { path, content, hash: 'h', mtime: 0 }]));

describe('searching a branch', () => {
  const files = tree({
    'model/views/b.yml': yaml`
      views:
        - name: Orders_view
    `,
    'model/cubes/a.yml': yaml`
      cubes:
        - name: orders
          title: Orders, all orders
    `,
  });

  it('finds lines by path, whatever the case, each once', () => {
    expect(searchTree(files, 'ORDERS', 10)).toEqual([
      { path: 'model/cubes/a.yml', line: 1, start: 10, end: 16, text: '- name: orders' },
      { path: 'model/cubes/a.yml', line: 2, start: 11, end: 17, text: 'title: Orders, all orders' },
      { path: 'model/views/b.yml', line: 1, start: 10, end: 16, text: '- name: Orders_view' },
    ]);
  });

  it('lists no more than asked for, and nothing for a single letter', () => {
    expect(searchTree(files, 'orders', 2)).toHaveLength(2);
    expect(searchTree(files, 'o', 10)).toEqual([]);
    expect(searchTree(files, '   ', 10)).toEqual([]);
  });

  it('points at the text it found', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('orders', 'count', ' ', ':', 'x\n'), { maxLength: 20 }), (parts) => {
        const content = parts.join('');
        const lines = content.split('\n');
        const hits = searchTree(tree({ 'a.yml': content }), 'count', 100);
        expect(hits.map(({ line, start, end }) => lines[line]?.slice(start, end))).toEqual(hits.map(() => 'count'));
        expect(hits).toHaveLength(lines.filter((line) => line.includes('count')).length);
      }),
    );
  });
});
