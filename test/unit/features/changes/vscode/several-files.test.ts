import { describe, expect, it } from 'vitest';
import { discardChanges, undoLast } from '#features/changes/vscode/maintenance.ts';
import { restoreFromTrash } from '#features/folders/vscode/trash.ts';
import { Store } from '#base/store.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { ReviewSource } from '#features/review/source.ts';
import { runDirectly } from '#support/operations.ts';
import type { HistoryRun, UndoSteps } from '#sync/core/undo/history.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { prune, upload } from '#support/plan.ts';

const paths = [prune.path, upload.path];
const old = { id: '1', path: 'model/a.yml', time: 1, size: 3, cause: 'pull', deleted: true } as const;
const versions = [old, { ...old, id: '2', path: 'model/b.yml' }, { ...old, id: '3', time: 2 }];

const run = {
  id: 'r1',
  time: 1,
  action: 'push',
  branch: 'dev-ada-1',
  session: 's',
  status: 'done',
  message: '',
  applied: [upload],
  failed: [],
  changed: [],
  trashed: [],
} as const;
let history: readonly HistoryRun[] = [];
let undone: UndoSteps = { reversals: [], lost: [] };

/** A folder with two local changes and a trash, and a user who does something with each page. */
function open(act: (source: ReviewSource, status: Store<{ localChanges: readonly PlanEntry[] }>) => Promise<unknown>) {
  const done: unknown[] = [];
  const status = new Store<{ localChanges: readonly PlanEntry[] }>({ localChanges: [prune, upload] });
  const outcome = { status: 'done', message: 'Done.', applied: [], failed: [], trashed: [] };
  const finish = (what: unknown) => {
    done.push(what);
    return Promise.resolve(outcome);
  };
  const sync = {
    status,
    baseContent: () => Promise.resolve(new TextEncoder().encode('base')),
    plan: () => Promise.resolve(),
    maintenance: {
      discard: (chosen: ReadonlySet<string>) => finish([...chosen]),
      history: () => Promise.resolve(history),
      undoSteps: () => Promise.resolve(undone),
      undoLast: (action: string) => finish(`undo ${action}`),
    },
    trashed: () => Promise.resolve(versions),
    trashedContent: (id: string) => Promise.resolve(new TextEncoder().encode(`version ${id}`)),
    restore: ({ id }: { id: string }) => finish(id),
  };
  const folder = { folderId: 'file:///f', name: 'shop' };
  const session = { folder, target: { branchName: 'dev-ada-1' }, sync } as unknown as SyncSession;
  const deps = {
    boundary: (_: string, error: unknown) => Promise.reject(error),
    documents: { refresh: () => undefined },
    operations: runDirectly(),
    filePages: {
      open: async (source: ReviewSource) => void (await act(source, status)),
      model: {
        ofFile: () => Promise.resolve([]),
        ofFiles: () => Promise.resolve({ summary: '1 cube changed', lines: [] }),
      },
    },
  } as never;
  return { deps, session, done };
}

const input = { message: '', options: [], typed: '' };

describe('discarding several files', () => {
  it('is reviewed on a page, and discards what is still ticked there', async () => {
    let label: string | undefined;
    const { deps, session, done } = open(async (source) => {
      source.tick([prune.path], false);
      label = source.document.value?.action.label;
      expect((await source.texts(upload.path)).after).toBe('base');
      await source.apply(input);
    });
    await discardChanges(deps, session, paths);
    expect([label, done]).toEqual(['Discard Changes of 1 File', [[upload.path]]]);
  });

  it('changes nothing where the page is closed', async () => {
    const { deps, session, done } = open(async (source) => Promise.resolve(source.close()));
    await discardChanges(deps, session, paths);
    expect(done).toEqual([]);
  });

  it('gives up nothing that was written while the page was open', async () => {
    const { deps, session, done } = open(async (source, status) => {
      status.set({ localChanges: [prune, { ...upload, hash: 'later' } as PlanEntry] });
      await source.apply(input);
    });
    await expect(discardChanges(deps, session, paths)).rejects.toThrow(
      '“orders.yml” has changed since you reviewed it, so nothing was discarded.',
    );
    expect(done).toEqual([]);
  });
});

describe('restoring several files', () => {
  it('is reviewed on a page, with the newest version of each file', async () => {
    let shown: unknown;
    const { deps, session, done } = open(async (source) => {
      shown = source.document.value?.groups.flatMap(({ rows }) => rows.map(({ path, kind }) => [path, kind]));
      expect(await source.texts('model/a.yml')).toEqual({ before: undefined, after: 'version 3', changes: [] });
      await expect.poll(() => source.document.value?.sections[0]?.summary).toBe('1 cube changed');
      source.tick(['model/b.yml'], false);
      await source.apply(input);
    });
    await restoreFromTrash(deps, session, { ids: ['1', '2', '3'] });
    expect([shown, done]).toEqual([
      [
        ['model/a.yml', 'add'],
        ['model/b.yml', 'add'],
      ],
      ['3'],
    ]);
  });

  it('needs no page for one file', async () => {
    const { deps, session, done } = open(async () => Promise.reject(new Error('a page was opened')));
    await restoreFromTrash(deps, session, { ids: ['2'] });
    expect(done).toEqual(['2']);
  });

  it('restores nothing where the page is closed', async () => {
    const { deps, session, done } = open(async (source) => Promise.resolve(source.close()));
    await restoreFromTrash(deps, session, { ids: ['1', '2'] });
    expect(done).toEqual([]);
  });
});

describe('undoing the last push', () => {
  const bytes = new TextEncoder().encode('earlier');
  const again: PlanEntry = {
    kind: 'upload',
    path: 'model/a.yml',
    reason: 'restored',
    hash: '1',
    size: 7,
    expectedRemote: '2',
  };
  const back: PlanEntry = { ...again, path: 'model/b.yml', expectedRemote: undefined };
  const gone: PlanEntry = { kind: 'deleteRemote', path: 'model/c.yml', expectedRemote: '3', size: 1 };
  const renamed: PlanEntry = {
    kind: 'renameRemote',
    from: 'model/new.yml',
    path: 'model/old.yml',
    hash: '4',
    size: 1,
  };

  it('shows what becomes of each file, and undoes all of them', async () => {
    history = [run];
    undone = {
      reversals: [
        { entry: again, bytes },
        { entry: back, bytes },
        { entry: gone, bytes: undefined },
        { entry: renamed, bytes: undefined },
      ],
      lost: [],
    };
    let shown: unknown;
    const { deps, session, done } = open(async (source) => {
      const { document } = source;
      source.tick(['model/a.yml'], false);
      shown = document.value?.groups.flatMap(({ rows }) => rows.map(({ path, kind, note }) => [path, kind, note]));
      expect(document.value?.action).toEqual({ label: 'Undo Push of 4 Files', whyNot: '' });
      expect(document.value?.warnings[0]?.text).toMatchInlineSnapshot(
        `"“dev-ada-1” gets its earlier versions back. Your files here stay as they are and become local changes again. If one of the files has changed since, nothing is undone."`,
      );
      expect(await source.texts('model/a.yml')).toEqual({ before: 'base', after: 'earlier', changes: [] });
      expect(await source.texts('model/b.yml')).toEqual({ before: undefined, after: 'earlier', changes: [] });
      expect(await source.texts('model/c.yml')).toEqual({ before: 'base', after: undefined, changes: [] });
      expect(await source.texts('model/new.yml')).toEqual({ before: 'base', after: 'base', changes: [] });
      await source.apply(input);
    });
    await undoLast(deps, session, 'push');
    expect(shown).toEqual([
      ['model/a.yml', 'change', undefined],
      ['model/b.yml', 'add', undefined],
      ['model/c.yml', 'delete', undefined],
      ['model/new.yml', 'change', 'gets its name model/old.yml back'],
    ]);
    expect(done).toEqual(['undo push']);
  });

  it('changes nothing where the page is closed', async () => {
    history = [run];
    const { deps, session, done } = open(async (source) => Promise.resolve(source.close()));
    await undoLast(deps, session, 'push');
    expect(done).toEqual([]);
  });

  it('cannot be confirmed where an earlier version is no longer stored', async () => {
    history = [run];
    undone = { reversals: [], lost: [again] };
    let shown: unknown;
    const { deps, session, done } = open(async (source) => {
      shown = [source.document.value?.action.whyNot, source.document.value?.groups[0]?.rows[0]];
      return Promise.resolve(source.close());
    });
    await undoLast(deps, session, 'push');
    const note = 'its earlier version is no longer stored';
    expect(shown).toEqual([
      'An earlier version is no longer stored, so nothing can be undone.',
      { id: 'model/a.yml', path: 'model/a.yml', canTick: false, kind: 'none', note },
    ]);
    expect(done).toEqual([]);
  });

  it('undoes no later push that was not shown', async () => {
    history = [run];
    undone = { reversals: [{ entry: again, bytes }], lost: [] };
    const { deps, session, done } = open(async (source) => {
      history = [run, { ...run, id: 'r2' }];
      await source.apply(input);
    });
    await expect(undoLast(deps, session, 'push')).rejects.toThrow('This was not the last push any more');
    expect(done).toEqual([]);
  });
});
