import { describe, expect, it } from 'vitest';
import type { BegunMerge } from '#features/folders/begun-merges.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { GitAttempts, openFiles } from '#features/history/git-attempt.ts';
import { type ResolveEditor, resolveInStep, type ResolvePorts } from '#features/history/resolve-git-conflict.ts';
import { StepConflicts } from '#features/history/step-conflicts.ts';
import { runDirectly } from '#support/operations.ts';
import { MemoryState } from '#support/memory-state.ts';

const dev = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const path = 'model/orders.yml';
const file = { folderId: 'file:///one', path };

const operations = runDirectly();

/** A pull that stopped at one file; `theirs` is what main has there now. */
async function stopped(theirs: string | undefined, begun?: BegunMerge, status = 'done') {
  const attempts = new GitAttempts(new MemoryState());
  await attempts.stopped(dev, { message: '', paths: [path] }, { step: 'pull', from: 'main' });
  const sent: unknown[] = [];
  const merges: (BegunMerge | undefined)[] = [begun];
  const sync = {
    status: { value: { conflicts: [] } },
    flush: async () => undefined,
    plan: async () => ({ entries: [{ path }] }),
    resolve: async (_path: string, choice: 'mine' | { readonly merged: Uint8Array }) => {
      sent.push(choice === 'mine' ? choice : new TextDecoder('utf-8', { ignoreBOM: true }).decode(choice.merged));
      return { status, message: 'It was refused.' };
    },
  };
  const session = { folder: { folderId: file.folderId }, target: dev, sync } as unknown as SyncSession;
  const ports = {
    attempts,
    operations,
    syncs: { ofBranch: () => [session], ofFolder: () => session },
    remote: { refresh: async () => undefined },
    branchFiles: {
      version: async () => (theirs === undefined ? undefined : { hash: `hash of ${theirs}`, content: theirs }),
    },
    merges: {
      of: () => merges.at(-1),
      keep: async (_file: unknown, merge: BegunMerge) => void merges.push(merge),
      end: async () => void merges.push(undefined),
    },
  } as unknown as ResolvePorts;
  return { attempts, merges, ports, sent };
}

const trashed: string[] = [];
const editor = (answers: Partial<ResolveEditor> = {}): ResolveEditor => ({
  mayUpload: async () => true,
  isFinished: async () => true,
  bytes: async () => new TextEncoder().encode('mine'),
  trash: async () => void trashed.push(path),
  ...answers,
});

describe('a file of a stopped step', () => {
  it('takes the version of the other branch', async () => {
    const { attempts, ports, sent } = await stopped('theirs');
    expect(await resolveInStep(ports, editor(), file, 'theirs')).toBeDefined();
    expect({ sent, open: openFiles(attempts.of(dev)) }).toEqual({ sent: ['theirs'], open: [] });
  });

  it('keeps its byte order mark where the local version is chosen in the middle of a merge', async () => {
    const { ports, sent } = await stopped('theirs', { mine: 'before', remote: 'hash of theirs' });
    const bytes = async (): Promise<Uint8Array> => new TextEncoder().encode('\uFEFFhalf merged');
    await resolveInStep(ports, editor({ bytes }), file, 'mine');
    expect(sent).toEqual(['\uFEFFbefore']);
  });

  it('is merged by its lines, without the byte order mark of the other version', async () => {
    const { ports } = await stopped('\uFEFFtheirs');
    const conflicts = new StepConflicts({ steps: ports, editorOf: () => editor(), exists: async () => true });
    expect(await conflicts.open(file)).toMatchObject({ kind: 'merge', theirs: 'theirs' });
  });

  it('goes to the trash where the other branch has none', async () => {
    trashed.length = 0;
    const { ports, sent } = await stopped(undefined);
    await resolveInStep(ports, editor(), file, 'theirs');
    expect({ trashed, sent }).toEqual({ trashed: [path], sent: ['mine'] });
  });

  it('stays open where the user may not upload or has not finished the merge', async () => {
    const { attempts, ports, sent } = await stopped('theirs');
    expect(await resolveInStep(ports, editor({ mayUpload: async () => false }), file, 'mine')).toBeUndefined();
    expect(await resolveInStep(ports, editor({ isFinished: async () => false }), file, 'merged')).toBeUndefined();
    expect({ sent, open: openFiles(attempts.of(dev)) }).toEqual({ sent: [], open: [path] });
  });

  it('is not resolved by a merge with an earlier version of the other branch', async () => {
    const { ports, sent } = await stopped('newer', { mine: 'mine', remote: 'hash of older' });
    await expect(resolveInStep(ports, editor(), file, 'merged')).rejects.toThrow(/changed on main again/);
    expect(sent).toEqual([]);
  });

  it('keeps the merge that was begun where its result cannot be sent', async () => {
    const begun = { mine: 'mine', remote: 'hash of theirs' };
    const { attempts, merges, ports } = await stopped('theirs', begun, 'refused');
    await expect(resolveInStep(ports, editor(), file, 'mine')).rejects.toThrow(/refused/);
    expect({ last: merges.at(-1), open: openFiles(attempts.of(dev)) }).toEqual({ last: begun, open: [path] });
  });
});
