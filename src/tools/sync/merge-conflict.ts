import { hasMarkers, markerSize, usualSize, withMarkers } from '#base/conflict-markers.ts';
import { decodedText } from '#base/decoded-text.ts';
import { encodedText } from '#base/encoded-text.ts';
import { isText } from '#base/is-text.ts';
import { mergeThreeWay } from '#base/merge-lines.ts';
import { mergeTwoWay } from '#base/two-way-merge.ts';
import { sha1 } from '#features/platform/sha1.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { conflictText } from '#sync/core/planning/plan-text.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { BegunMerge } from '#tools/ports.ts';

export type Conflict = Extract<PlanEntry, { kind: 'conflict' }>;

/** What a merge of both versions of a file gives. */
type MergeOutcome =
  /** Both sides' changes, or the text in which the user has chosen. */
  | { readonly kind: 'merged'; readonly bytes: Uint8Array }
  /** A text with markers at some places, and what has to be remembered until the user has chosen there. */
  | { readonly kind: 'marked'; readonly bytes: Uint8Array; readonly places: number; readonly begun: BegunMerge }
  /** The file stays as it is, for the reason. */
  | { readonly kind: 'left'; readonly reason: string };

/** The label of the folder's version. */
const LOCAL = 'Local';
const CHOOSE = 'take “mine” or “theirs”';
const UNFINISHED = 'it still has conflict markers. Choose between them, remove them, then resolve it again';

/**
 * Merges the versions of a file in conflict, as Git does: with the version that both sides last agreed on, or without one line by
 * line. A merge that began earlier continues: its text is the result once it has no markers, and what the branch got since is
 * merged into it (docs/tools.md#resolve).
 */
export async function mergeConflict(
  sync: Pick<FolderSync, 'baseContent' | 'localContent' | 'remoteContent' | 'target'>,
  conflict: Conflict,
  begun: BegunMerge | undefined,
  signal: AbortSignal,
): Promise<MergeOutcome> {
  const unfit = whyNotMerged(conflict);
  if (unfit !== undefined) return { kind: 'left', reason: unfit };
  const { path } = conflict;
  const [base, mine, theirs] = await Promise.all([
    sync.baseContent(path),
    sync.localContent(path),
    sync.remoteContent(path, signal),
  ]);
  if (!(await isVersion(mine, conflict.local)) || !(await isVersion(theirs, conflict.remote)))
    return { kind: 'left', reason: 'it changed meanwhile. Resolve it again' };
  if (!isText(mine) || !isText(theirs))
    return { kind: 'left', reason: `a version that is not UTF-8 text cannot be merged: ${CHOOSE}` };
  const own = decodedText(mine);
  const current = begun && isOngoing(begun, conflict) ? begun : undefined;
  const { branch } = sync.target;
  if (isMarked(own, current, branch)) return { kind: 'left', reason: UNFINISHED };
  if (current?.remote === conflict.remote) return { kind: 'merged', bytes: mine };
  const ancestor = current?.theirs ?? textIn(base);
  const { text, places, size } = mergedText(ancestor, own, decodedText(theirs), branch);
  const bytes = encodedText(text, mine);
  if (places === 0) return { kind: 'merged', bytes };
  const { local, remote } = conflict;
  return {
    kind: 'marked',
    bytes,
    places,
    begun: { base: conflict.base, local, remote, size, theirs: decodedText(theirs) },
  };
}

interface MergedText {
  readonly text: string;
  /** How many places have markers, and how long these are. */
  readonly places: number;
  readonly size: number;
}

function textIn(bytes: Uint8Array | undefined): string | undefined {
  return isText(bytes) ? decodedText(bytes) : undefined;
}

/** Merges two versions, in the line endings of the first one. */
function mergedText(ancestor: string | undefined, own: string, theirs: string, branch: string): MergedText {
  const other = withEndingsOf(own, theirs);
  const regions =
    ancestor === undefined ? mergeTwoWay(own, other) : mergeThreeWay(withEndingsOf(own, ancestor), own, other);
  const size = markerSize(own, other);
  const text = withMarkers(regions, size, { mine: LOCAL, theirs: branch });
  return { text, size, places: regions.filter(({ kind }) => kind === 'conflict').length };
}

/** Whether a local file is a merge that is not finished. */
export async function isUnfinished(
  sync: Pick<FolderSync, 'localContent' | 'target'>,
  conflict: Conflict,
  begun: BegunMerge | undefined,
): Promise<boolean> {
  const mine = await sync.localContent(conflict.path);
  const current = begun && isOngoing(begun, conflict) ? begun : undefined;
  return isText(mine) && isMarked(decodedText(mine), current, sync.target.branch);
}

/** Whether a text has markers of a merge, also of one whose record was lost. */
function isMarked(text: string, begun: BegunMerge | undefined, branch: string): boolean {
  if (begun) return hasMarkers(text, begun.size);
  const lines = text.split(/\r?\n/);
  return lines.includes(`${'<'.repeat(usualSize)} ${LOCAL}`) && lines.includes(`${'>'.repeat(usualSize)} ${branch}`);
}

/** Returns why a user must choose one of the versions. */
function whyNotMerged({ reason, eolOnly, unread }: Conflict): string | undefined {
  if (reason !== 'bothChanged' && reason !== 'bothAdded') return `${conflictText[reason]}: ${CHOOSE}`;
  if (eolOnly) return `only line endings differ: ${CHOOSE}`;
  return unread;
}

/** Whether a merge is about this conflict, and the file is not again what it was before it. */
function isOngoing({ base, local }: BegunMerge, conflict: Conflict): boolean {
  return base === conflict.base && local !== conflict.local;
}

async function isVersion(bytes: Uint8Array | undefined, hash: string | undefined): Promise<boolean> {
  return bytes !== undefined && hash !== undefined && (await sha1(bytes)) === hash;
}

/** Gives a version the line endings of another one, unless that one has both kinds: then each line keeps its own. */
function withEndingsOf(like: string, text: string): string {
  const endings = new Set(like.match(/\r?\n/g));
  const [ending = '\n'] = endings;
  return endings.size === 1 ? text.replaceAll(/\r?\n/g, ending) : text;
}
