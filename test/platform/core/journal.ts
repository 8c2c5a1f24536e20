import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Repository } from '../git/repository.ts';
import type { FileEntry } from '../git/worktree.ts';
import type { Core } from './core.ts';

/** One step on the files of a working copy; each may be repeated without harm. */
export type FileStep =
  | { readonly kind: 'adopt'; readonly path: string; readonly staged: string; readonly entry: FileEntry }
  | { readonly kind: 'remove'; readonly path: string };

/** A change of a working copy that takes several steps on disk. */
export type Change =
  | { readonly kind: 'files'; readonly steps: readonly FileStep[] }
  /** The working copy becomes `tree`, its branch `commit`. */
  | { readonly kind: 'checkout'; readonly tree: string; readonly commit: string };

/** What the journal holds: a change that is finished after a kill, or the swap of a repository, which is undone. */
type Entry = Change | { readonly kind: 'swap' };

/**
 * Makes a change all or nothing: it is written down first, and a platform that was killed in the middle finishes it
 * when it starts again. To be called inside `repository.exclusive`.
 */
export async function applyChange(core: Core, deploymentId: number, branch: string, change: Change): Promise<void> {
  const id = note(core, deploymentId, branch, change);
  await perform(core.repository(deploymentId), branch, change);
  forget(core, id);
}

/**
 * Puts the prepared clone of a repository in its place, together with the rows that refer to it: a platform that is killed
 * in the middle has the old one when it starts again. To be called inside `repository.exclusive`.
 */
export async function applySwap(core: Core, deploymentId: number, rows: () => void): Promise<void> {
  const repository = core.repository(deploymentId);
  const id = note(core, deploymentId, '', { kind: 'swap' });
  try {
    await repository.swapIn();
    core.db.transaction(() => {
      rows();
      forget(core, id);
    });
  } catch (error) {
    await repository.undoSwap();
    forget(core, id);
    throw error;
  }
  await repository.keepSwap();
}

function note(core: Core, deploymentId: number, branch: string, entry: Entry): string {
  const id = randomUUID();
  core.db.run(
    'INSERT INTO journal (id, deployment_id, branch_name, change) VALUES (?, ?, ?, ?)',
    id,
    deploymentId,
    branch,
    JSON.stringify(entry),
  );
  return id;
}

const forget = (core: Core, id: string): void => void core.db.run('DELETE FROM journal WHERE id = ?', id);

/** Finishes what a killed platform had begun and can be finished, and takes back the rest. */
export async function recover(core: Core): Promise<void> {
  const rows = core.db.all<{ id: string; deployment_id: number; branch_name: string; change: string }>(
    'SELECT * FROM journal ORDER BY rowid',
  );
  for (const row of rows) {
    const repository = core.repository(row.deployment_id);
    const entry = JSON.parse(row.change) as Entry;
    if (entry.kind === 'swap') {
      await repository.undoSwap();
    } else {
      await repository.unlock(row.branch_name);
      await perform(repository, row.branch_name, entry);
    }
    forget(core, row.id);
  }
  // A deployment gets its first branch last: one without was never acknowledged.
  const unfinished = core.db.all<{ id: number }>(
    'SELECT id FROM deployments WHERE id NOT IN (SELECT deployment_id FROM branches)',
  );
  for (const { id } of unfinished) {
    core.db.run('DELETE FROM deployments WHERE id = ?', id);
    await core.removeRepository(id);
  }
}

async function perform(repository: Repository, branch: string, change: Change): Promise<void> {
  const worktree = repository.worktree(branch);
  if (change.kind === 'checkout') {
    const from = repository.head(branch);
    if (from !== change.commit) await repository.setRefs([{ branch, to: change.commit, from }]);
    await repository.checkout(worktree, change.tree);
    return;
  }
  // Removals first: a folder may have to make room for a file of its name.
  for (const step of change.steps) if (step.kind === 'remove') await worktree.remove(step.path);
  for (const step of change.steps) {
    if (step.kind === 'adopt' && existsSync(step.staged)) await worktree.adopt(step.path, step.staged, step.entry);
  }
}
