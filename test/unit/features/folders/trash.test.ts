import { describe, expect, it } from 'vitest';
import { deletedLocally, trashRows, versionsToRestore, withTrash } from '#features/folders/trash.ts';
import { causeText } from '#sync/core/undo/trash-cause.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { TrashItem } from '#sync/core/ports.ts';

const item = (id: string, path: string, time: number, more: Partial<TrashItem> = {}): TrashItem => ({
  id,
  path,
  time,
  size: 2048,
  cause: 'pull',
  deleted: false,
  ...more,
});

const orders = item('1', 'model/cubes/orders.yml', 1000);
const ordersLater = item('2', 'model/cubes/orders.yml', 3000, { cause: 'resolve' });
const users = item('3', 'model/users.yml', 2000, { deleted: true });

describe('the rows of the trash', () => {
  it('say which file it was, when it went, why, and how large it is, the newest first', () => {
    const rows = trashRows([orders, ordersLater, users]);
    expect(rows.map(({ item: { id } }) => id)).toEqual(['2', '3', '1']);
    expect(rows[0]).toMatchObject({ label: 'orders.yml', description: 'model/cubes' });
    const time = new Date(3000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
    expect(rows[0]?.detail).toBe(`${time} · replaced when a conflict was resolved · 2.0 KB`);
    expect(rows[1]?.detail).toContain('deleted on the platform');
  });

  it('can be those of one file, or of one run', () => {
    const all = [orders, ordersLater, users];
    expect(trashRows(all, { path: orders.path }).map(({ item: { id } }) => id)).toEqual(['2', '1']);
    expect(trashRows(all, { ids: ['3', '1'] }).map(({ item: { id } }) => id)).toEqual(['3', '1']);
    expect(trashRows(all, { path: 'model/other.yml' })).toEqual([]);
  });

  it.each([
    ['pull', false, 'replaced by the platform’s version'],
    ['pull', true, 'deleted on the platform'],
    ['resolve', false, 'replaced when a conflict was resolved'],
    ['resolve', true, 'deleted when a conflict was resolved'],
    ['restore', false, 'replaced by a restored version'],
    [undefined, false, 'replaced or deleted by sync'],
  ] as const)('give the reason: %s, deleted: %s', (cause, deleted, words) => {
    expect(causeText({ cause, deleted })).toBe(words);
  });
});

describe('what comes of a choice', () => {
  it('is one version of each file, the newest of those that were chosen', () => {
    expect(versionsToRestore([orders, users, ordersLater]).map(({ id }) => id)).toEqual(['2', '3']);
    expect(versionsToRestore([])).toEqual([]);
  });
});

describe('what a run says of the trash', () => {
  const gone: PlanEntry = { kind: 'deleteLocal', path: 'model/a.yml', expectedLocal: 'h', size: 1 };
  const changed: PlanEntry = {
    kind: 'download',
    path: 'model/a.yml',
    reason: 'changed',
    hash: 'h',
    size: 1,
    expectedLocal: 'g',
  };

  it('is an offer where files went away, a word where versions were replaced, nothing else', () => {
    expect(deletedLocally({ applied: [gone], trashed: ['1'] })).toBe(true);
    expect(deletedLocally({ applied: [changed], trashed: ['1'] })).toBe(false);
    expect(deletedLocally({ applied: [gone], trashed: [] })).toBe(false);
    expect(withTrash({ message: 'Pulled 1 file.', trashed: [] })).toBe('Pulled 1 file.');
    expect(withTrash({ message: 'Pulled 1 file.', trashed: ['1'] })).toBe(
      'Pulled 1 file. 1 earlier version is in the trash.',
    );
    expect(withTrash({ message: 'Pulled 2 files.', trashed: ['1', '2'] })).toContain('2 earlier versions are');
  });
});
