import type { SyncSession } from '#features/folders/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { GatedStepPorts } from './gated-step.ts';
import type { LeftOutFile } from './git-attempt.ts';

/**
 * Asks about local changes that would be missing in the step because they are not on the platform. Versions in `agreed` were
 * confirmed when the step that now continues began. Resolves to the versions that the step leaves out; `undefined` if it must not
 * run.
 */
export async function withoutUnsent(
  { attempts, syncs, dialogs }: Pick<GatedStepPorts, 'attempts' | 'syncs' | 'dialogs'>,
  target: BranchTarget,
  action: 'Commit' | 'Merge',
  agreed: readonly LeftOutFile[] = [],
): Promise<readonly LeftOutFile[] | undefined> {
  const unsent = syncs.ofBranch(target).flatMap(unsentFiles);
  const known = new Set(agreed.map(keyOf));
  if (unsent.every((file) => known.has(keyOf(file)))) return unsent;
  const answer = await dialogs.askUnsent(unsent.length, action, target);
  if (answer === 'push') await dialogs.push();
  if (answer !== 'without') return undefined;
  await attempts.leaveOut(target, unsent);
  return unsent;
}

function unsentFiles({ folder: { folderId }, sync }: SyncSession): readonly LeftOutFile[] {
  const { localChanges, conflicts } = sync.status.value;
  return [...localChanges, ...conflicts].map((entry) => {
    const hash = localHash(entry);
    return { folderId, path: entry.path, ...(hash === undefined ? {} : { hash }) };
  });
}

/** Returns the hash of the local version; `undefined` if there is none. */
function localHash(entry: SyncEntry): string | undefined {
  if (entry.kind === 'conflict') return entry.local;
  if (entry.kind === 'renameRemote') return entry.edited?.hash ?? entry.hash;
  return entry.kind === 'upload' ? entry.hash : undefined;
}

type SyncEntry = SyncSession['sync']['status']['value']['localChanges'][number];

function keyOf({ folderId, path, hash }: LeftOutFile): string {
  return JSON.stringify([folderId, path, hash]);
}
