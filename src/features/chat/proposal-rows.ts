import { plural } from '#base/words.ts';
import type { ProposalItem } from '#chat-core/proposal-items.ts';
import type { ProposedChange } from '#chat-core/proposal-review.ts';
import type { ReviewDocument, ReviewGroup, ReviewRow, ReviewSection } from '#features/review/messages.ts';

/** The open files of a proposal. */
export interface OpenProposal {
  readonly items: readonly ProposalItem[];
  /** The changes that can be accepted. */
  readonly changes: readonly ProposedChange[];
}

/** Returns the page of an agent's proposal: what can be accepted, what must be merged first, and what fits nowhere. */
export function proposalDocument(
  { items, changes, folder }: OpenProposal & { readonly folder?: string | undefined },
  ticked: ReadonlySet<string>,
  sections: readonly ReviewSection[],
): ReviewDocument {
  const sizes = new Map(changes.map(({ path, after }) => [path, new TextEncoder().encode(after).length]));
  const rows = items.flatMap((item) => rowOf(item, sizes.get(item.path)) ?? []);
  const label = `Apply ${plural(ticked.size, 'File')}`;
  return {
    title: 'Agent’s Proposal',
    from: 'agent',
    to: folder ?? 'your files',
    isProduction: false,
    warnings: [],
    sections: [...engineSection(items.filter(({ path }) => ticked.has(path))), ...sections],
    options: [],
    action: { label, whyNot: ticked.size === 0 ? 'Tick at least one file.' : '' },
    links: [],
    empty: 'This proposal has no open changes.',
    busy: '',
    groups: groupsOf(rows),
    ticked,
  };
}

/** Whether accepting a file writes it without another question. */
export function canTick({ state, canAccept, hasConflicts }: ProposalItem): boolean {
  return isOpen(state) && canAccept && hasConflicts !== true;
}

function isOpen(state: ProposalItem['state']): boolean {
  return state === 'open' || state === 'partly';
}

/** Returns the row of a file that still needs a decision. */
function rowOf(item: ProposalItem, size: number | undefined): ReviewRow | undefined {
  const { path, state, isNew, added, removed, note } = item;
  if (!isOpen(state) && state !== 'draft' && state !== 'refused') return undefined;
  const lines = added + removed === 0 ? [] : [`+${added} −${removed}`];
  const facts = [...lines, ...(note === undefined ? [] : [note])].join(' · ');
  const row = { id: path, path, canTick: canTick(item), ...(facts === '' ? {} : { note: facts }) };
  if (item.hasConflicts === true) return { ...row, kind: 'conflict' };
  if (!row.canTick || size === undefined) return { ...row, canTick: false, kind: 'none' };
  return { ...row, size, kind: isNew ? 'add' : 'change' };
}

function groupsOf(rows: readonly ReviewRow[]): readonly ReviewGroup[] {
  const groups: readonly ReviewGroup[] = [
    { id: 'conflict', label: 'Conflicts (Resolve First)', rows: rows.filter(({ kind }) => kind === 'conflict') },
    { id: 'change', label: 'Apply', rows: rows.filter((row) => row.canTick) },
    { id: 'none', label: 'Not Applied', rows: rows.filter(({ kind }) => kind === 'none') },
  ];
  return groups.filter((group) => group.rows.length > 0);
}

/** Returns the section with the engine's verdict on the ticked files together; no section before the engine was asked. */
function engineSection(ticked: readonly ProposalItem[]): readonly ReviewSection[] {
  const checked = ticked.flatMap(({ path, engine }) => (engine ? [{ path, ...engine }] : []));
  const of = (state: (typeof checked)[number]['state']): typeof checked =>
    checked.filter((each) => each.state === state);
  const base = { id: 'engine', title: 'Engine', lines: [] } as const;
  const [first] = checked;
  if (!first) return [];
  if (of('checking').length > 0) return [{ ...base, summary: 'is checking these changes…', state: 'loading' }];
  const refused = of('refused');
  if (refused.length > 0) {
    const lines = refused.map(({ path, text }) => ({ severity: 'error' as const, text: `${path}: ${text}` }));
    return [{ ...base, summary: 'refuses the model with these changes', state: 'error', lines }];
  }
  if (of('accepted').length === ticked.length)
    return [{ ...base, summary: 'accepts the model with these changes', state: 'ok' }];
  return [{ ...base, summary: of('unknown')[0]?.text ?? 'has not checked these changes yet', state: 'unknown' }];
}
