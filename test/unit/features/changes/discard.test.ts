import { describe, expect, it } from 'vitest';
import { discardChanges, type DiscardQuestion } from '#features/changes/discard.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { runDirectly } from '#support/operations.ts';
import { prune, upload } from '#support/plan.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';

/** A folder with these local changes; `known` are those of them that a comparison has found already. */
function scene(changes: readonly PlanEntry[], { known = changes, unsaved = '', isSure = true } = {}) {
  const log: string[] = [];
  const questions: DiscardQuestion[] = [];
  const status = { value: { localChanges: known } };
  const sync = {
    status,
    plan: async () => {
      log.push('compare');
      status.value = { localChanges: changes };
      return Promise.resolve();
    },
    maintenance: {
      discard: async (chosen: ReadonlySet<string>) => {
        log.push(`discard ${[...chosen].join()}`);
        return Promise.resolve({ status: 'done' });
      },
    },
  };
  const session = {
    folder: { folderId: 'f', name: 'shop' },
    target: { branchName: 'dev-ada' },
    sync,
  } as unknown as SyncSession;
  const ports = {
    files: {
      read: async () => Promise.resolve(undefined),
      isUnsaved: (path: string) => path === unsaved,
      modelsWithout: async () => Promise.resolve(new Map<string, string>()),
    },
    filePages: { open: async () => Promise.reject(new Error('a page was opened')), model: {} as never },
    operations: runDirectly(),
    confirm: async (question: DiscardQuestion) => {
      questions.push(question);
      return Promise.resolve(isSure);
    },
    openChange: async () => Promise.resolve(),
  };
  return { log, questions, discard: async (...paths: string[]) => discardChanges(ports, session, paths) };
}

describe('discardChanges', () => {
  it('asks about one file and says that it gets the text of the branch', async () => {
    const { log, questions, discard } = scene([upload]);
    expect(await discard(upload.path)).toEqual({ status: 'done' });
    expect(log).toEqual([`discard ${upload.path}`]);
    expect(questions[0]?.detail).toMatchInlineSnapshot(
      `"The file becomes the same as on “dev-ada” again. What that replaces or deletes here goes to the trash, where you can restore it."`,
    );
  });

  it('warns that a file which is new here is deleted', async () => {
    const added = { ...upload, expectedRemote: undefined } as PlanEntry;
    const { questions, discard } = scene([added]);
    await discard(added.path);
    expect(questions[0]?.detail).toMatchInlineSnapshot(
      `"“dev-ada” does not have this file, so it is deleted here. It goes to the trash, where you can restore it."`,
    );
  });

  it('discards nothing that the user does not confirm', async () => {
    const { log, discard } = scene([upload], { isSure: false });
    expect(await discard(upload.path)).toBe('declined');
    expect(log).toEqual([]);
  });

  it('compares again where a change is not known yet', async () => {
    const { log, discard } = scene([prune], { known: [] });
    await discard(prune.path);
    expect(log).toEqual(['compare', `discard ${prune.path}`]);
  });

  it('finds nothing in a file that is as on the branch', async () => {
    const { log, discard } = scene([]);
    expect(await discard('model/same.yml')).toBe('noChange');
    expect(log).toEqual(['compare']);
  });

  it('refuses a file that an editor has unsaved changes of', async () => {
    const { log, questions, discard } = scene([upload], { unsaved: upload.path });
    await expect(discard(upload.path)).rejects.toThrow('has unsaved changes in an editor');
    expect([log, questions]).toEqual([[], []]);
  });
});
