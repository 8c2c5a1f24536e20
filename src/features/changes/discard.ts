import { isEqual } from '#base/equal.ts';
import { baseName } from '#base/path.ts';
import { type FilePages, fileReview, type FolderFiles, type SyncSession } from '#features/folders/index.ts';
import { textsOfBytes } from '#features/review/index.ts';
import type { ReviewRow } from '#features/review/messages.ts';
import type { Operations } from '#shell/operations.ts';
import { Hint } from '#shell/user-error.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import { direction, type PlanEntry } from '#sync/core/planning/plan.ts';

/** The question before a single change is discarded. */
export interface DiscardQuestion {
  readonly title: string;
  readonly detail: string;
}

/** The dependencies of {@link discardChanges}. */
export interface DiscardPorts {
  readonly files: FolderFiles;
  readonly filePages: FilePages;
  readonly operations: Operations;
  readonly confirm: (question: DiscardQuestion) => Promise<boolean>;
  /** Opens the change of a file in an editor. */
  readonly openChange: (path: string) => Promise<unknown>;
}

/** The outcome of discarding: the outcome of the sync run, or why there was none. */
export type Discarded = SyncOutcome | 'noChange' | 'declined';

/**
 * Discards local changes after confirmation; the local versions can be restored. Throws `Hint` if a file has unsaved changes or
 * changed after the review.
 */
export async function discardChanges(
  ports: DiscardPorts,
  session: SyncSession,
  paths: readonly string[],
): Promise<Discarded> {
  const { sync, folder, target } = session;
  const changes = await changesAt(ports, session, paths);
  const [only] = changes;
  if (!only) return 'noChange';
  refuseUnsaved(ports, changes);
  const chosen =
    changes.length === 1 ? await confirmOne(ports, only, target.branchName) : await review(ports, session, changes);
  if (chosen.size === 0) return 'declined';
  // A page may stay open for long: later edits must not be discarded unseen.
  const seen = changes.filter(({ path }) => chosen.has(path));
  if (changes.length > 1) {
    refuseUnsaved(ports, seen);
    const now = await changesAt(ports, session, [...chosen]);
    const other = seen.find((entry) => !now.some((each) => isEqual(each, entry)));
    if (other) throw new Hint(`“${baseName(other.path)}” has changed since you reviewed it, so nothing was discarded.`);
  }
  return ports.operations.run({
    label: 'Discarding local changes',
    key: folder.folderId,
    run: async ({ signal }) => sync.maintenance.discard(chosen, { signal }),
  });
}

async function confirmOne(
  { confirm }: DiscardPorts,
  change: PlanEntry,
  branchName: string,
): Promise<ReadonlySet<string>> {
  const title = `Discard your change of “${baseName(change.path)}”?`;
  const isSure = await confirm({ title, detail: discardDetail(change, branchName) });
  return new Set(isSure ? [change.path] : []);
}

/** Shows several files with their differences; resolves to those that were ticked when the user confirmed. */
async function review(
  { filePages, files, openChange }: DiscardPorts,
  { sync, folder, target }: SyncSession,
  changes: readonly PlanEntry[],
): Promise<ReadonlySet<string>> {
  const entries = new Map(changes.map((change) => [change.path, change]));
  const laterPath = (path: string): string => {
    const entry = entries.get(path);
    return entry?.kind === 'renameRemote' ? entry.from : path;
  };
  const { source, answer } = fileReview(
    {
      key: `discard ${folder.folderId}`,
      accountId: target.accountId,
      title: `Discard changes of ${folder.name}`,
      from: target.branchName,
      to: folder.name,
      heading: 'Become the same as on the branch',
      rows: changes.map(discardRow),
      button: (some) => `Discard Changes of ${some}`,
      texts: async (path) => textsOfBytes(await files.read(path), await sync.baseContent(laterPath(path))),
      diff: openChange,
      model: { ...filePages.model, laterPath, others: async () => files.modelsWithout(new Set(entries.keys())) },
    },
    filePages.unticked,
  );
  await filePages.open(source);
  return (await answer) ?? new Set();
}

/** Returns the row that shows the effect on the local file. */
function discardRow(entry: PlanEntry): ReviewRow {
  const { path } = entry;
  const row = { id: path, path, canTick: true } as const;
  if (entry.kind === 'deleteRemote') return { ...row, kind: 'add', note: 'deleted here, comes back' };
  if (entry.kind === 'renameRemote') return { ...row, kind: 'change', note: `gets its name ${entry.from} back` };
  if (isNewHere(entry)) return { ...row, kind: 'delete', note: 'new here, goes to the trash' };
  return { ...row, kind: 'change' };
}

/** Returns what discarding does; it deletes a new file. */
function discardDetail(entry: PlanEntry, branchName: string): string {
  return isNewHere(entry)
    ? `“${branchName}” does not have this file, so it is deleted here. It goes to the trash, where you can restore it.`
    : `The file becomes the same as on “${branchName}” again. What that replaces or deletes here goes to the trash, where you can restore it.`;
}

function isNewHere(entry: PlanEntry): boolean {
  return entry.kind === 'upload' && entry.expectedRemote === undefined;
}

/** Resolves to the local changes of these files; compares again if a file has no known change. */
async function changesAt(
  { operations }: Pick<DiscardPorts, 'operations'>,
  { sync, folder, target }: SyncSession,
  paths: readonly string[],
): Promise<readonly PlanEntry[]> {
  const chosen = new Set(paths);
  const known = (): readonly PlanEntry[] =>
    sync.status.value.localChanges.filter((entry) => direction(entry) === 'push' && chosen.has(entry.path));
  if (known().length < chosen.size) {
    await operations.run({
      label: `Comparing with ${target.branchName}`,
      key: folder.folderId,
      cancellable: true,
      run: async ({ signal }) => sync.plan({ signal }),
    });
  }
  return known();
}

/** Throws `Hint` if a file has unsaved changes, which sync never overwrites. */
function refuseUnsaved({ files }: DiscardPorts, changes: readonly PlanEntry[]): void {
  const unsaved = changes.find(({ path }) => files.isUnsaved(path))?.path;
  if (unsaved === undefined) return;
  throw new Hint(`“${baseName(unsaved)}” has unsaved changes in an editor. Save or revert them, then discard.`);
}
