import { lineChanges } from '#base/merge-lines.ts';
import { countsOf, takenBack } from './proposal-merge.ts';
import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { EngineMessage, FileNow } from './proposal-ports.ts';
import type { KnownVerdict, ProposalVerdicts } from './proposal-verdicts.ts';
import type { ProposalDecision } from './proposal-records.ts';
import type { ClassifiedProposal, ProposalPorts, ProposalSource } from './proposal-source.ts';

/** A proposed file as shown to the user. */
export interface ProposalItem {
  readonly path: string;
  /**
   * `draft`: its position in the file is uncertain, so it can only be opened beside the file. `refused`: no file may be written
   * there. `partly`: some of its changes were accepted; the others are still open.
   */
  readonly state: 'open' | 'accepted' | 'partly' | 'rejected' | 'draft' | 'refused';
  readonly isNew: boolean;
  /** The number of lines that accepting it adds and removes. */
  readonly added: number;
  readonly removed: number;
  readonly canAccept: boolean;
  readonly canUndo: boolean;
  /** Whether the user has changed the same lines, so that accepting it opens the merge editor. */
  readonly hasConflicts?: boolean | undefined;
  /** Whether the user has seen the current change. */
  readonly isReviewed: boolean;
  /** A sentence: why it cannot be accepted, or what has happened since. */
  readonly note?: string | undefined;
  /** The engine's verdict on the model with this change, if it was checked. */
  readonly engine?: { readonly state: KnownVerdict['state']; readonly text: string } | undefined;
}

type Accepted = Exclude<ProposalDecision, { state: 'rejected' }>;

export interface ItemDeps extends ProposalPorts {
  readonly turn: string;
  readonly source: ProposalSource;
  /** The merged text of each file that the user last saw. */
  readonly seen: ReadonlyMap<string, string>;
  readonly verdicts: Pick<ProposalVerdicts, 'known'>;
}

/**
 * Resolves to the item of a proposed file, or to `undefined` for a quotation. An error in one file does not affect the others.
 */
export async function itemOf(parts: ItemDeps, path: string): Promise<ProposalItem | undefined> {
  const item = { ...NOTHING, path };
  try {
    const refusal = parts.source.refusal(path);
    if (refusal !== undefined) return { ...item, state: 'refused', note: refusal };
    const classified = await parts.source.classified(path);
    const decision = await parts.records.decision(parts.turn, path);
    if (classified.kind === 'quote' && !decision) return undefined;
    const now = await parts.files.read(path);
    const base = { ...item, isNew: now === undefined };
    if (decision?.state === 'rejected') return { ...base, state: 'rejected', canUndo: true };
    if (decision) return { ...base, ...(await decidedItem(parts, path, decision, classified, now)), isNew: base.isNew };
    return { ...base, ...(await openItem(parts, path, classified, now)), isNew: base.isNew };
  } catch {
    return { ...item, state: 'refused', note: 'This file cannot be read here.' };
  }
}

type Rest = Omit<ProposalItem, 'path' | 'isNew'>;

const NOTHING = { isNew: false, added: 0, removed: 0, canAccept: false, canUndo: false, isReviewed: false };

async function openItem(
  parts: ItemDeps,
  path: string,
  classified: ClassifiedProposal,
  now: FileNow | undefined,
): Promise<Rest> {
  switch (classified.kind) {
    case 'quote':
      return { ...NOTHING, state: 'accepted' };
    case 'draft':
      return { ...NOTHING, state: 'draft', note: classified.reason };
    default:
      return now === undefined && classified.base !== undefined
        ? { ...NOTHING, state: 'draft', note: 'The file has since been deleted.' }
        : mergedItem(parts, path, classified, now);
  }
}

async function mergedItem(
  { classifier, seen, source, verdicts }: ItemDeps,
  path: string,
  classified: Exclude<ClassifiedProposal, { readonly kind: 'quote' | 'draft' }>,
  now: FileNow | undefined,
): Promise<Rest> {
  const { base, removed } = classified;
  const { text, conflicts } = await source.merged(path, classified, now?.text);
  if (text === now?.text && conflicts === 0) return { ...NOTHING, state: 'accepted' };
  const counts = countsOf(lineChanges(now?.text ?? '', conflicts > 0 ? classified.text : text));
  const open = { ...NOTHING, ...counts, state: 'open', isReviewed: seen.get(path) === text } as const;
  if (conflicts > 0) return { ...open, canAccept: true, hasConflicts: true, note: conflictNote(conflicts) };
  const problem = await classifier.problem(path, now?.text, text, removed);
  if (problem !== undefined) return { ...open, note: problem };
  return { ...open, canAccept: true, note: keptNote(now, base), engine: engineNote(path, verdicts.known(path, text)) };
}

function engineNote(path: string, verdict: KnownVerdict | undefined): ProposalItem['engine'] {
  switch (verdict?.state) {
    case undefined:
      return undefined;
    case 'checking':
      return { state: 'checking', text: 'The engine is checking this change…' };
    case 'accepted':
      return { state: 'accepted', text: 'The engine accepts the model with this change.' };
    case 'refused':
      return {
        state: 'refused',
        text: `The engine refuses the model with this change: ${refusalOf(path, verdict.errors)}`,
      };
    case 'unknown':
      return { state: 'unknown', text: `The engine did not check this change. ${verdict.reason}` };
    default:
      return unreachable(verdict);
  }
}

/** Returns the first error, preferably one in this file, and the number of other errors. */
function refusalOf(path: string, errors: readonly EngineMessage[]): string {
  const first = errors.find(({ location }) => location?.path === path) ?? errors[0];
  const more = errors.length > 1 ? ` (and ${plural(errors.length - 1, 'other error')})` : '';
  return `${first?.message ?? 'no reason was given.'}${more}`;
}

function keptNote(now: FileNow | undefined, base: string | undefined): string | undefined {
  return now === undefined || now.text === base ? undefined : 'You have changed the file since; your changes are kept.';
}

function conflictNote(conflicts: number): string {
  const where = conflicts === 1 ? 'one place' : `${conflicts} places`;
  return `You have since changed the same lines, in ${where}: resolve them in the merge editor.`;
}

async function decidedItem(
  parts: ItemDeps,
  path: string,
  decision: Accepted,
  classified: ClassifiedProposal,
  now: FileNow | undefined,
): Promise<Rest> {
  const { records } = parts;
  const back = await takenBack(records, decision.steps, now?.text);
  const canUndo = decision.steps.length > 0 && back.kind !== 'impossible';
  const note = laterNote(parts, path, decision, now);
  const rest = decision.state === 'partly' ? await openItem(parts, path, classified, now) : undefined;
  if (rest?.state === 'open') return { ...rest, state: 'partly', canUndo, note: rest.note ?? note };
  return { ...NOTHING, ...(await acceptedCounts(parts, decision)), state: 'accepted', canUndo, note };
}

async function acceptedCounts({ records }: ItemDeps, { steps }: Accepted): Promise<ReturnType<typeof countsOf>> {
  const [first, last] = [steps.at(0), steps.at(-1)];
  const before = first?.before === null ? '' : first && (await records.text(first.before));
  const after = last && (await records.text(last.after));
  return before === undefined || after === undefined ? { added: 0, removed: 0 } : countsOf(lineChanges(before, after));
}

/** Describes what has happened to the file since it was accepted. */
function laterNote(
  { records, files }: ItemDeps,
  path: string,
  { steps }: Accepted,
  now: FileNow | undefined,
): string | undefined {
  const hash = now === undefined ? null : records.hash(now.text);
  if (hash === steps.at(0)?.before) return 'The file has its earlier content again.';
  if (hash !== steps.at(-1)?.after) return 'The file has changed since.';
  const error = files.errorIn?.(path);
  if (error !== undefined) return `The file has an error now: ${error}`;
  return now?.isUnsaved === true ? 'In the editor, not saved yet.' : undefined;
}
