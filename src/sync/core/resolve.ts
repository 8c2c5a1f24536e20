import type { SyncContext } from './context.ts';
import { heldText, replaceHere } from './local-effects.ts';
import { writerOf } from './context.ts';
import type { ApplyOptions, Resolution, SyncOutcome } from './folder-sync.ts';
import type { PlanEntry } from './plan.ts';
import type { Hash } from './hash.ts';
import type { LocalState, RemoteFile } from './ports.ts';
import { pullEntries } from './pull.ts';
import { pushEntries } from './push.ts';
import { resolveFolder } from './resolve-folder.ts';
import { refused, refusedByDisk, SyncRun } from './sync-run.ts';

/**
 * Resolves one path as the user chose, with `shown` as the entry of the last plan. Reads both sides again first: what
 * changed since the user saw it is not overwritten. `theirs` and `merged` keep the replaced local version in the trash.
 */
export async function resolvePath(
  context: SyncContext,
  path: string,
  choice: Resolution,
  shown: PlanEntry | undefined,
  options: ApplyOptions,
): Promise<SyncOutcome> {
  const { ports } = context;
  if (shown?.kind === 'conflict' && shown.reason === 'fileAndFolder') {
    return resolveFolder(context, path, choice, options);
  }
  const unfit = whyUnfit(path, shown);
  if (unfit !== undefined) return refused(unfit);
  const [local, listing] = await Promise.all([ports.files.stateOf(path), ports.remote.list(options.signal)]);
  const remote = listing.files.get(path);
  const localHash = local.kind === 'file' ? local.hash : undefined;
  const seen = seenOf(shown, context.state.entries.get(path)?.hash, localHash);
  const problem = whyNot(context, path, choice, seen, { local, remote });
  if (problem !== undefined) return refused(problem);
  const run = new SyncRun(1, options, 'resolve');
  if (choice === 'theirs') {
    await pullEntries(context, [theirs(path, local, remote)], run);
    return run.outcome('Resolved');
  }
  if (choice !== 'mine') {
    const error = await writeMerged(context, path, choice.merged, { local: localHash, remote }, run);
    if (error !== undefined) return refused(error);
  }
  const writer = writerOf(ports);
  if (!writer) return refused('This branch is read only. Start dev mode to push.');
  const entry = mine(path, await ports.files.stateOf(path), remote);
  if (!entry) return run.outcome('Resolved');
  await pushEntries({ ...context, writer }, [entry], 'direct', run);
  return run.outcome('Resolved');
}

interface SeenVersions {
  readonly local: Hash | undefined;
  readonly remote: Hash | undefined;
}

/**
 * Returns the versions that the user has seen: those of the entry or, where the plan had none, the one that both sides
 * agreed on. In that case, a file that is gone here is restored without a question, because nothing can be lost.
 */
function seenOf(
  shown: PlanEntry | undefined,
  agreed: Hash | undefined,
  local: Hash | undefined,
): SeenVersions | undefined {
  if (!shown) return { local: local === undefined ? undefined : agreed, remote: agreed };
  switch (shown.kind) {
    case 'conflict':
      return shown;
    case 'upload':
      return { local: shown.hash, remote: shown.expectedRemote };
    case 'deleteRemote':
      return { local: undefined, remote: shown.expectedRemote };
    case 'download':
      return { local: shown.expectedLocal, remote: shown.hash };
    case 'deleteLocal':
      return { local: shown.expectedLocal, remote: undefined };
    default:
      return undefined;
  }
}

/** Returns the reason why choosing a version cannot resolve the path; `undefined` if it can. */
function whyUnfit(path: string, shown: PlanEntry | undefined): string | undefined {
  if (shown?.kind === 'frozen') return `${path} cannot be synced as it is (${shown.reason}).`;
  if (shown?.kind !== 'conflict' || shown.reason !== 'caseRename') return undefined;
  return `${path}: the names on the two sides do not match. Rename the file here, then refresh the changes.`;
}

interface Versions {
  readonly local: LocalState;
  readonly remote: RemoteFile | undefined;
}

function whyNot(
  context: SyncContext,
  path: string,
  choice: Resolution,
  seen: SeenVersions | undefined,
  now: Versions,
): string | undefined {
  const { local, remote } = now;
  if (local.kind === 'frozen') return `${path} cannot be synced as it is (${local.reason}).`;
  const localHash = local.kind === 'file' ? local.hash : undefined;
  if (seen && (seen.local !== localHash || seen.remote !== remote?.hash)) {
    return `${path} changed since you last saw it. Compare the versions again, then choose.`;
  }
  if (choice !== 'mine' && context.ports.editors.dirty().has(path)) {
    return heldText(path);
  }
  return undefined;
}

function theirs(path: string, local: LocalState, remote: RemoteFile | undefined): PlanEntry {
  const expectedLocal = local.kind === 'file' ? local.hash : undefined;
  if (remote) return { kind: 'download', path, reason: 'changed', hash: remote.hash, size: remote.size, expectedLocal };
  return {
    kind: 'deleteLocal',
    path,
    expectedLocal: expectedLocal ?? '',
    size: local.kind === 'file' ? local.size : 0,
  };
}

function mine(path: string, local: LocalState, remote: RemoteFile | undefined): PlanEntry | undefined {
  if (local.kind === 'file') {
    const { hash, size } = local;
    return { kind: 'upload', path, reason: 'changed', hash, size, expectedRemote: remote?.hash };
  }
  return remote ? { kind: 'deleteRemote', path, expectedRemote: remote.hash, size: remote.size ?? 0 } : undefined;
}

/**
 * Replaces the local version with the merged text. Because that includes the platform's version, the latter becomes the
 * base.
 */
async function writeMerged(
  { ports, state }: SyncContext,
  path: string,
  merged: Uint8Array,
  { local, remote }: { readonly local: Hash | undefined; readonly remote: RemoteFile | undefined },
  run: SyncRun,
): Promise<string | undefined> {
  const hash = ports.hasher.hash(merged);
  if (hash !== local) {
    try {
      const staged = await ports.files.stage(path, merged, hash);
      const result = await replaceHere(ports, staged, local, run.cause);
      run.setAside(result);
      if (result.kind === 'held') return heldText(path);
      if (result.kind === 'changed') return `${path} changed while it was being merged. Compare the versions again.`;
      await ports.files.sync([path]);
    } catch (error) {
      return refusedByDisk(error).message;
    }
  }
  await state.commit([{ path, hash: remote?.hash, size: remote?.size ?? 0 }]);
  return undefined;
}
