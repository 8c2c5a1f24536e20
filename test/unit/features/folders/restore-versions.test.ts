import { describe, expect, it } from 'vitest';
import { restoreVersions, reviewedVersions, type TrashSource } from '#features/folders/restore-versions.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { trashRows } from '#features/folders/trash.ts';
import type { ReviewSource } from '#features/review/index.ts';
import { runDirectly } from '#support/operations.ts';
import type { TrashItem } from '#sync/core/ports.ts';

const version = (id: string, path: string): TrashItem => ({
  id,
  path,
  time: Number(id),
  size: 3,
  cause: 'pull',
  deleted: true,
});
const one = version('1', 'model/a.yml');
const other = version('2', 'model/b.yml');

/** A folder whose sync restores versions, except for those with a refusal. */
function restoring(refusals: Readonly<Record<string, string>> = {}, trashed: readonly string[] = []) {
  const restored: string[] = [];
  const sync = {
    restore: async ({ id }: TrashItem) => {
      const message = refusals[id];
      if (message === undefined) restored.push(id);
      return Promise.resolve({ status: message === undefined ? 'done' : 'refused', message, trashed });
    },
  };
  const session = { folder: { folderId: 'f' }, sync } as unknown as SyncSession;
  return { restored, restore: async (...items: TrashItem[]) => restoreVersions(runDirectly(), session, items) };
}

describe('restoreVersions', () => {
  it('names the one file that was restored', async () => {
    const { restore } = restoring();
    expect(await restore(one)).toBe('Restored a.yml');
  });

  it('counts several files, and says where replaced versions are', async () => {
    const { restore } = restoring({}, ['9']);
    expect(await restore(one)).toBe('Restored a.yml; the replaced version is in the trash');
    expect(await restore(one, other)).toBe('Restored 2 files; the replaced versions are in the trash');
  });

  it('reports every refusal after the other files were restored', async () => {
    const { restore, restored } = restoring({ 1: 'It is open.' });
    await expect(restore(one, other)).rejects.toThrow('It is open.');
    expect(restored).toEqual(['2']);
  });
});

describe('reviewedVersions', () => {
  const trash: TrashSource = {
    accountId: 'a',
    name: 'shop',
    read: async (path) => Promise.resolve(path === one.path ? new TextEncoder().encode('now') : undefined),
    exists: async (path) => Promise.resolve(path === one.path),
    version: async (id) => Promise.resolve(id === '1' ? new TextEncoder().encode('then') : undefined),
    others: async () => Promise.resolve(new Map()),
    compare: async () => Promise.resolve(),
  };
  const review = async (act: (source: ReviewSource) => Promise<unknown>, from = trash) =>
    reviewedVersions(
      {
        open: async (source) => void (await act(source)),
        model: {
          ofFile: async () => Promise.resolve([]),
          ofFiles: async () => Promise.resolve({ summary: '', lines: [] }),
        },
      },
      from,
      trashRows([one, other]),
      [one, other],
    );

  it('shows both texts of a file, and answers the files that stay ticked', async () => {
    const chosen = await review(async (source) => {
      expect(source.document.value?.groups[0]?.rows.map(({ path, kind }) => [path, kind])).toEqual([
        [other.path, 'add'],
        [one.path, 'change'],
      ]);
      expect(await source.texts(one.path)).toMatchObject({ before: 'now', after: 'then' });
      source.tick([other.path], false);
      await source.apply({ message: '', options: [], typed: '' });
    });
    expect(chosen).toEqual([one]);
  });

  it('shows no lines of a version that is not UTF-8 text', async () => {
    const image: TrashSource = { ...trash, version: async () => Promise.resolve(Uint8Array.of(0x89, 0x50, 0, 1)) };
    await review(async (source) => {
      const texts = await source.texts(one.path);
      expect([texts.before, texts.after]).toEqual([undefined, undefined]);
      expect(texts.note).toContain('is not UTF-8 text, so its difference is not shown (3 B → 4 B)');
      source.close();
    }, image);
  });

  it('explains that a version is no longer stored', async () => {
    await review(async (source) => {
      await expect(source.texts(other.path)).rejects.toThrow('This version of model/b.yml is no longer in the trash.');
      source.close();
    });
  });
});
