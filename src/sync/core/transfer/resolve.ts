import type { SyncContext } from '#sync/core/context.ts';
import { heldText, replaceHere } from './local-effects.ts';
import { writerOf } from '#sync/core/context.ts';
import type { Resolution, ResolveOptions, SeenVersions, SyncOutcome } from '#sync/core/folder-sync.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { LocalState, RemoteFile } from '#sync/core/ports.ts';
import { pullEntries } from './pull.ts';
import { pushEntries } from './push.ts';
import { resolveFolder } from './resolve-folder.ts';
import { refused, refusedByDisk, SyncRun } from './sync-run.ts';

/**
 * Resolves one path as the user chose, with `entries` as those of the last plan. Reads both sides again first: what
 * changed since the user saw it is not overwritten. All but `mine` keep the replaced local version in the trash.
 */
export async function resolvePath(
  context: SyncContext,
  path: string,
  choice: Resolution,
  entries: readonly PlanEntry[],
  options: ResolveOptions,
): Promise<SyncOutcome> {
  const { ports } = context;
  const shown = entries.find((entry) => entry.path === path);
  if (isFileAndFolder(shown)) return resolveFolder(context, path, choice, entries, options);
  const [local, listing] = await Promise.all([ports.files.stateOf(path), ports.remote.list(options.signal)]);
  const remote = listing.files.get(path);
  const localHash = hashOf(local);
  const seen = options.seen ?? shownVersions(context, path, shown, localHash);
  const problem = whyUnfit(path, shown) ?? whyNot(context, path, choice, seen, { local, remote });
  if (problem !== undefined) return refused(problem);
  const run = new SyncRun(1, options, 'resolve');
  if (choice === 'theirs') {
    await pullEntries(context, [theirs(path, local, remote)], run);
    return run.outcome('Resolved');
  }
  let own = localHash;
  if (typeof choice === 'object') {
    const error = await writeHere(context, path, textOf(choice), localHash, run);
    if (error !== undefined) return refused(error);
    if ('marked' in choice) return run.outcome('Resolved');
    // The merged text includes the platform's version, which thereby is the agreed one.
    await context.state.commit([{ path, hash: remote?.hash, size: remote?.size ?? 0 }]);
    own = ports.hasher.hash(choice.merged);
  }
  return sendMine(context, path, { own, remote }, run);
}

function isFileAndFolder(shown: PlanEntry | undefined): boolean {
  return shown?.kind === 'conflict' && shown.reason === 'fileAndFolder';
}

/** Whether a choice ends a conflict: a text with markers does not. */
export function endsConflict(choice: Resolution): boolean {
  return typeof choice !== 'object' || !('marked' in choice);
}

function textOf(choice: Exclude<Resolution, string>): Uint8Array {
  return 'marked' in choice ? choice.marked : choice.merged;
}

/** Uploads the local version that was chosen, or its absence, over the version of the platform; a newer one was not seen. */
async function sendMine(
  context: SyncContext,
  path: string,
  { own, remote }: { readonly own: Hash | undefined; readonly remote: RemoteFile | undefined },
  run: SyncRun,
): Promise<SyncOutcome> {
  const writer = writerOf(context.ports);
  if (!writer) return refused('This branch is read only. Start dev mode to push.');
  const now = await context.ports.files.stateOf(path);
  const entry = hashOf(now) === own ? mine(path, now, remote) : undefined;
  if (hashOf(now) !== own) run.changed.add(path);
  if (entry) await pushEntries({ ...context, writer }, [entry], 'direct', run);
  return run.outcome('Resolved');
}

function shownVersions(
  { state }: SyncContext,
  path: string,
  shown: PlanEntry | undefined,
  local: Hash | undefined,
): SeenVersions | undefined {
  return seenOf(shown, state.entries.get(path)?.hash, local);
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

function hashOf(state: LocalState): Hash | undefined {
  return state.kind === 'file' ? state.hash : undefined;
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
  if (seen && (seen.local !== hashOf(local) || seen.remote !== remote?.hash)) {
    return `${path} changed since you last saw it. Compare the versions again, then choose.`;
  }
  if (choice !== 'mine' && context.ports.editors.dirty().has(path)) {
    return heldText(path);
  }
  return undefined;
}

function theirs(path: string, local: LocalState, remote: RemoteFile | undefined): PlanEntry {
  const expectedLocal = hashOf(local);
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

/** Replaces the local version with a text; resolves to why it cannot be replaced. */
async function writeHere(
  { ports }: SyncContext,
  path: string,
  text: Uint8Array,
  local: Hash | undefined,
  run: SyncRun,
): Promise<string | undefined> {
  const hash = ports.hasher.hash(text);
  if (hash === local) return undefined;
  try {
    const staged = await ports.files.stage(path, text, hash);
    const result = await replaceHere(ports, staged, local, run.cause);
    run.setAside(result);
    if (result.kind === 'held') return heldText(path);
    if (result.kind === 'changed') return `${path} changed while it was being merged. Compare the versions again.`;
    await ports.files.sync([path]);
  } catch (error) {
    return refusedByDisk(error).message;
  }
  return undefined;
}
