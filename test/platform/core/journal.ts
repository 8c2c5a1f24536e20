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

/**
 * Makes a change all or nothing: it is written down first, and a platform that was killed in the middle finishes it
 * when it starts again. To be called inside `repository.exclusive`.
 */
export async function applyChange(core: Core, deploymentId: number, branch: string, change: Change): Promise<void> {
  const id = randomUUID();
  core.db.run(
    'INSERT INTO journal (id, deployment_id, branch_name, change) VALUES (?, ?, ?, ?)',
    id,
    deploymentId,
    branch,
    JSON.stringify(change),
  );
  await perform(core.repository(deploymentId), branch, change);
  core.db.run('DELETE FROM journal WHERE id = ?', id);
}

/** Finishes what a killed platform had begun. */
export async function recover(core: Core): Promise<void> {
  const rows = core.db.all<{ id: string; deployment_id: number; branch_name: string; change: string }>(
    'SELECT * FROM journal ORDER BY rowid',
  );
  for (const row of rows) {
    const repository = core.repository(row.deployment_id);
    await repository.unlock(row.branch_name);
    await perform(repository, row.branch_name, JSON.parse(row.change) as Change);
    core.db.run('DELETE FROM journal WHERE id = ?', row.id);
  }
}

async function perform(repository: Repository, branch: string, change: Change): Promise<void> {
  const worktree = repository.worktree(branch);
  if (change.kind === 'checkout') {
    const from = await repository.head(branch);
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
