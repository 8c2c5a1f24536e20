import { Sequencer } from '#base/async.ts';
import { foldName } from '#base/file-names.ts';
import { type LineChange, lineChanges, mergeLines, withLineChanges } from '#base/merge-lines.ts';
import { FileMovedOn, type FileNow, type Judgement, type ProposalFiles, type ProposalJudge } from './proposal-ports.ts';
import type { Decision, ProposalRecords, Step } from './proposal-records.ts';
import { type ProposedBlock, pathProblem } from './proposed-files.ts';
import type { TurnBranch } from './thread.ts';

/** A proposed file as the user sees it. */
export interface ProposalItem {
  readonly path: string;
  /**
   * `draft`: where it belongs is not certain, it can only be opened beside the file. `refused`: no file may be written there.
   * `partly`: some of its changes were accepted; the others are still open.
   */
  readonly state: 'open' | 'accepted' | 'partly' | 'rejected' | 'draft' | 'refused';
  readonly isNew: boolean;
  /** Lines that accepting it adds and takes away. */
  readonly added: number;
  readonly removed: number;
  readonly canAccept: boolean;
  readonly canUndo: boolean;
  /** Whether the change was shown as it is now. */
  readonly isReviewed: boolean;
  /** Why it cannot be accepted, or what happened since: a sentence. */
  readonly note?: string | undefined;
}

/** A change as it is shown before anything is written. */
export interface ProposedChange {
  readonly path: string;
  /** The file as it is; `undefined`: there is none. */
  readonly before: string | undefined;
  readonly after: string;
  readonly hunks: readonly LineChange[];
}

/** Paths that were not written: not seen as they are now, or changed by the user in the same lines. */
export interface NotAccepted {
  readonly unseen: readonly string[];
  readonly conflicts: readonly string[];
}

interface ReviewInput {
  readonly turn: string;
  readonly blocks: readonly ProposedBlock[];
  readonly modelPath: string;
}

interface ReviewPorts {
  readonly files: ProposalFiles;
  readonly records: ProposalRecords;
  readonly judge: ProposalJudge;
}

type Judged =
  | Exclude<Judgement, { kind: 'change' }>
  | {
      readonly kind: 'change';
      readonly base: string | undefined;
      readonly text: string;
      readonly removed: readonly string[];
    };

interface Merged {
  readonly text: string;
  readonly conflicts: number;
}

const TRIES = 3;

/**
 * What the user does with the files that one answer proposes. A proposal is a change of the text that it was made from; it
 * is merged into the file as it is now, so that nothing that was written since is lost. What is decided stays decided.
 */
export class ProposalReview {
  readonly #input: ReviewInput;
  readonly #ports: ReviewPorts;
  readonly #steps = new Sequencer();
  readonly #judged = new Map<string, Promise<Judged>>();
  /** The merged text that was last shown of each file. */
  readonly #shown = new Map<string, string>();

  constructor(ports: ReviewPorts, input: ReviewInput) {
    this.#ports = ports;
    this.#input = input;
  }

  get paths(): readonly string[] {
    return [...new Set(this.#input.blocks.map(({ path }) => path))];
  }

  /** Each file by itself: what is wrong with one says nothing of the others. Quotations are left out. */
  async items(): Promise<readonly ProposalItem[]> {
    const items = await Promise.all(this.paths.map((path) => this.#item(path)));
    return items.filter((item) => item !== undefined);
  }

  /** The changes of some files as they would be written now; they count as seen. */
  async changes(paths: readonly string[]): Promise<readonly ProposedChange[]> {
    const changes: ProposedChange[] = [];
    for (const path of this.#known(paths)) {
      const judged = await this.#judge(path);
      if (judged.kind !== 'change' || this.#refusal(path) !== undefined) continue;
      const now = await this.#ports.files.read(path);
      const { text } = merged(judged, now?.text);
      this.#shown.set(path, text);
      changes.push({ path, before: now?.text, after: text, hunks: lineChanges(now?.text ?? '', text) });
    }
    return changes;
  }

  /** The text of a file's blocks, to be opened beside it. */
  draft(path: string): string {
    const blocks = this.#blocksOf(path);
    return blocks.map(({ text }) => text).join('\n');
  }

  /** Writes the open ones among these files, together, if they were seen. `hunks`: of one file, only some of its changes. */
  accept(paths: readonly string[], hunks?: readonly LineChange[]): Promise<NotAccepted> {
    return this.#steps.queue(() => this.#again(() => this.#accept(paths, hunks)));
  }

  /** Opens the merge editor on a file that the user changed in the same lines; what comes of it counts as accepted. */
  merge(path: string): Promise<void> {
    return this.#steps.queue(async () => {
      const judged = await this.#judge(path);
      const now = await this.#ports.files.read(path);
      if (judged.kind !== 'change' || !now) return;
      const before = await this.#ports.records.keep(now.text);
      const conflict = {
        path,
        base: judged.base ?? '',
        mine: now.text,
        theirs: judged.text,
        title: 'Agent’s proposal',
      };
      if ((await this.#ports.files.merge?.(conflict)) !== true) return;
      const after = await this.#ports.files.read(path);
      if (after && after.text !== now.text)
        await this.#decide(path, 'accepted', { before, after: await this.#ports.records.keep(after.text) });
    });
  }

  /** Sets open ones among these files aside; nothing is written. */
  reject(paths: readonly string[]): Promise<void> {
    return this.#steps.queue(async () => {
      for (const path of this.#known(paths)) {
        const item = await this.#item(path);
        if (item?.state === 'open' || item?.state === 'draft') await this.#record(path, { state: 'rejected' });
      }
    });
  }

  /** Takes decisions back: what was accepted is taken out again, and what was written since stays. */
  undo(paths: readonly string[]): Promise<void> {
    return this.#steps.queue(async () => {
      for (const path of this.#known(paths)) await this.#again(() => this.#undo(path));
    });
  }

  async #accept(paths: readonly string[], hunks: readonly LineChange[] | undefined): Promise<NotAccepted> {
    const { files, judge, records } = this.#ports;
    const [unseen, conflicts]: [string[], string[]] = [[], []];
    const changes: { path: string; before: string | undefined; text: string; isWhole: boolean }[] = [];
    for (const path of this.#known(paths)) {
      const judged = await this.#judge(path);
      if (judged.kind !== 'change' || this.#refusal(path) !== undefined) continue;
      const item = await this.#item(path);
      if (item?.state !== 'open' && item?.state !== 'partly') continue;
      const before = (await files.read(path))?.text;
      const result = merged(judged, before);
      if (result.conflicts > 0 && !hunks) conflicts.push(path);
      else if (this.#shown.get(path) !== result.text) unseen.push(path);
      else {
        const text = hunks ? withLineChanges(before ?? '', hunks) : result.text;
        if ((await judge.problem(path, before, text, judged.removed)) !== undefined || text === before) continue;
        changes.push({ path, before, text, isWhole: text === result.text && result.conflicts === 0 });
      }
    }
    const decided: (readonly [string, Decision | undefined])[] = [];
    for (const { path, before, text, isWhole } of changes) {
      decided.push([path, await records.decision(this.#input.turn, path)]);
      const step = {
        before: before === undefined ? null : await records.keep(before),
        after: await records.keep(text),
      };
      await this.#decide(path, isWhole ? 'accepted' : 'partly', step);
    }
    try {
      if (changes.length > 0) await files.write(changes.map(({ path, before, text }) => ({ path, before, text })));
    } catch (error) {
      // Written down first, so that a crash in between leaves a way back.
      for (const [path, decision] of decided) await this.#record(path, decision);
      throw error;
    }
    return { unseen, conflicts };
  }

  async #undo(path: string): Promise<void> {
    const { files, records } = this.#ports;
    const decision = await records.decision(this.#input.turn, path);
    if (!decision) return;
    if (decision.state !== 'rejected') {
      const now = await files.read(path);
      const before = await this.#reverted(decision.steps, now);
      if (before === 'unknown') return;
      if (before.conflict) {
        if ((await files.merge?.({ path, ...before.conflict, title: 'Before the proposal' })) !== true) return;
      } else if (before.text !== now?.text) await files.write([{ path, before: now?.text, text: before.text }]);
    }
    await this.#record(path, undefined);
    this.#shown.delete(path);
  }

  /** The file with the accepted steps taken out, the last one first; a file that a step made goes only as it was made. */
  async #reverted(
    steps: readonly Step[],
    now: FileNow | undefined,
  ): Promise<
    | 'unknown'
    | {
        readonly text: string | undefined;
        readonly conflict?: { base: string; mine: string; theirs: string } | undefined;
      }
  > {
    const { records } = this.#ports;
    let text = now?.text;
    for (const step of steps.toReversed()) {
      const after = await records.text(step.after);
      const before = step.before === null ? undefined : await records.text(step.before);
      if (after === undefined || (before === undefined && step.before !== null)) return 'unknown';
      if (before === text) continue;
      if (text === undefined) return 'unknown';
      if (before === undefined) {
        if (text !== after) return 'unknown';
        text = undefined;
        continue;
      }
      const back = mergeLines(after, text, before);
      if (back.conflicts > 0) return { text, conflict: { base: after, mine: text, theirs: before } };
      text = back.text;
    }
    return { text };
  }

  async #item(path: string): Promise<ProposalItem | undefined> {
    const item = { path, isNew: false, added: 0, removed: 0, canAccept: false, canUndo: false, isReviewed: false };
    try {
      const refusal = this.#refusal(path);
      if (refusal !== undefined) return { ...item, state: 'refused', note: refusal };
      const judged = await this.#judge(path);
      const decision = await this.#ports.records.decision(this.#input.turn, path);
      if (judged.kind === 'quote') return undefined;
      const now = await this.#ports.files.read(path);
      const base = { ...item, isNew: now === undefined };
      if (decision?.state === 'rejected') return { ...base, state: 'rejected', canUndo: true };
      if (decision) return { ...base, ...(await this.#decided(path, decision, judged, now)) };
      if (judged.kind === 'draft') return { ...base, state: 'draft', note: judged.reason };
      return { ...base, ...(await this.#open(path, judged, now)) };
    } catch {
      return { ...item, state: 'refused', note: 'This file cannot be read here.' };
    }
  }

  async #open(
    path: string,
    judged: Extract<Judged, { kind: 'change' }>,
    now: FileNow | undefined,
  ): Promise<Omit<ProposalItem, 'path' | 'isNew'>> {
    const nothing = { added: 0, removed: 0, canAccept: false, canUndo: false, isReviewed: false };
    if (!now && judged.base !== undefined) return { ...nothing, state: 'draft', note: 'The file was deleted since.' };
    const { text, conflicts } = merged(judged, now?.text);
    if (text === now?.text && conflicts === 0) return { ...nothing, state: 'accepted' };
    const counts = countsOf(lineChanges(now?.text ?? '', conflicts > 0 ? judged.text : text));
    const isReviewed = this.#shown.get(path) === text;
    const open = { ...nothing, ...counts, state: 'open', isReviewed } as const;
    if (conflicts > 0) {
      const where = conflicts === 1 ? 'one place' : `${conflicts} places`;
      return {
        ...open,
        canAccept: true,
        note: `You changed the same lines since, in ${where}: resolve them in the merge editor.`,
      };
    }
    const problem = await this.#ports.judge.problem(path, now?.text, text, judged.removed);
    if (problem !== undefined) return { ...open, note: problem };
    const isLater = now !== undefined && now.text !== judged.base;
    return { ...open, canAccept: true, note: isLater ? 'You changed the file since; your changes stay.' : undefined };
  }

  async #decided(
    path: string,
    { state, steps }: Exclude<Decision, { state: 'rejected' }>,
    judged: Judged,
    now: FileNow | undefined,
  ): Promise<Omit<ProposalItem, 'path' | 'isNew'>> {
    const { records, files } = this.#ports;
    const [first, last] = [steps[0], steps.at(-1)];
    const hash = now === undefined ? null : records.hash(now.text);
    const before = first?.before === undefined || first.before === null ? '' : await records.text(first.before);
    const after = last && (await records.text(last.after));
    const counts =
      before === undefined || after === undefined ? { added: 0, removed: 0 } : countsOf(lineChanges(before, after));
    const back = await this.#reverted(steps, now);
    const rest = state === 'partly' && judged.kind === 'change' ? await this.#open(path, judged, now) : undefined;
    const isAsLeft = hash === last?.after;
    const error = isAsLeft ? files.errorIn?.(path) : undefined;
    const later = hash === first?.before ? 'The file has its earlier text again.' : 'The file was changed since.';
    const unsaved = now?.isUnsaved === true ? 'In the editor, not saved yet.' : undefined;
    return {
      ...(rest?.state === 'open' ? rest : counts),
      canAccept: rest?.canAccept ?? false,
      isReviewed: rest?.isReviewed ?? false,
      state: rest && rest.state !== 'open' ? 'accepted' : state,
      canUndo: steps.length > 0 && back !== 'unknown',
      note: error === undefined ? (isAsLeft ? unsaved : later) : `The file has an error now: ${error}`,
    };
  }

  #judge(path: string): Promise<Judged> {
    const known = this.#judged.get(path) ?? this.#judgeAnew(path);
    this.#judged.set(path, known);
    known.catch(() => this.#judged.delete(path));
    return known;
  }

  async #judgeAnew(path: string): Promise<Judged> {
    const { records, judge, files } = this.#ports;
    const blocks = this.#blocksOf(path);
    await records.settle(this.#input.turn, this.paths);
    const versions = await records.versions(this.#input.turn, path);
    if (!versions) {
      const now = await judge.judge(path, (await files.read(path))?.text, blocks);
      return now.kind === 'quote'
        ? now
        : { kind: 'draft', reason: 'The version of the file that this answer was made from is not known.' };
    }
    const judged = await Promise.all(
      versions.map(async (base): Promise<Judged> => {
        const found = await judge.judge(path, base, blocks);
        return found.kind === 'change' ? { ...found, base } : found;
      }),
    );
    return nearest(judged) ?? judged.find(({ kind }) => kind === 'draft') ?? { kind: 'quote' };
  }

  async #decide(path: string, state: 'accepted' | 'partly', step: Step): Promise<void> {
    const known = await this.#ports.records.decision(this.#input.turn, path);
    const steps = known && known.state !== 'rejected' ? known.steps : [];
    await this.#record(path, { state, steps: [...steps, step] });
  }

  #record(path: string, decision: Decision | undefined): Promise<void> {
    return this.#ports.records.decide(this.#input.turn, path, decision);
  }

  #refusal(path: string): string | undefined {
    const twin = this.paths.find((other) => foldName(other) === foldName(path));
    return (
      pathProblem(path, this.draft(path), this.#input.modelPath) ??
      (twin === undefined || twin === path
        ? undefined
        : `${twin} is proposed too; the names differ only in letter case.`) ??
      this.#ports.files.refusalOf?.(path)
    );
  }

  #blocksOf(path: string): readonly ProposedBlock[] {
    return this.#input.blocks.filter((block) => block.path === path);
  }

  #known(paths: readonly string[]): readonly string[] {
    return this.paths.filter((path) => paths.includes(path));
  }

  /** A file that changes while it is being merged is merged again. */
  async #again<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof FileMovedOn) || attempt === TRIES) throw error;
      }
    }
  }
}

/** Whether accepted files reach the branch that the answer is about: only an active dev branch takes files. */
export function landing(
  answered: TurnBranch | undefined,
  active: TurnBranch | undefined,
):
  | { readonly kind: 'ok' | 'noDevBranch' }
  | { readonly kind: 'otherBranch'; readonly from: string; readonly to: string } {
  if (!active || active.isDefault) return { kind: 'noDevBranch' };
  if (answered && answered.name !== active.name) return { kind: 'otherBranch', from: answered.name, to: active.name };
  return { kind: 'ok' };
}

/** The proposal merged into a text; a file keeps the end that it has. */
function merged({ base, text }: Extract<Judged, { kind: 'change' }>, now: string | undefined): Merged {
  if (now === undefined) return { text, conflicts: base === undefined ? 0 : 1 };
  const end = (of: string): string => (of === '' || of.endsWith('\n') ? of : `${of}\n`);
  const result = mergeLines(end(base ?? ''), end(now), end(text), 'mine');
  return { ...result, text: now.endsWith('\n') || now === '' ? result.text : result.text.replace(/\n$/, '') };
}

/** Of the versions that the agent may have seen, the one that it changed least. */
function nearest(judged: readonly Judged[]): Judged | undefined {
  const changes = judged.filter((one) => one.kind === 'change');
  const distances = changes.map(({ base, text }) => {
    const { added, removed } = countsOf(lineChanges(base ?? '', text));
    return added + removed;
  });
  return changes[distances.indexOf(Math.min(...distances))];
}

function countsOf(changes: readonly LineChange[]): { readonly added: number; readonly removed: number } {
  return {
    added: changes.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: changes.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}
