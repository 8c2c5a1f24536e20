import { Sequencer } from '#base/async.ts';
import { type LineChange, lineChanges, withLineChanges } from '#base/merge-lines.ts';
import { itemOf, type ProposalItem } from './proposal-items.ts';
import { takenBack } from './proposal-merge.ts';
import { type EngineMessage, type EngineVerdict, FileMovedOn, type RequireLanding } from './proposal-ports.ts';
import type { ProposalDecision, AcceptedStep } from './proposal-records.ts';
import { type ProposalInput, type ProposalPorts, ProposalSource } from './proposal-source.ts';
import { ProposalVerdicts } from './proposal-verdicts.ts';

/** A change as shown before anything is written. */
export interface ProposedChange {
  readonly path: string;
  /** The current file; `undefined`: there is none. */
  readonly before: string | undefined;
  readonly after: string;
  readonly hunks: readonly LineChange[];
}

/** Paths that were not written: the user has not seen the current change, or has changed the same lines. */
export interface NotAccepted {
  readonly unseen: readonly string[];
  readonly conflicts: readonly string[];
  /** The engine's errors; if present, nothing was written. */
  readonly refused?: readonly EngineMessage[] | undefined;
}

export interface AcceptOptions {
  /** Accepts only these changes of a single file. */
  readonly hunks?: readonly LineChange[] | undefined;
  /** The user has read the engine's errors and accepts the change anyway. */
  readonly despiteEngine?: boolean | undefined;
  /** Called right before the files are written: checks and questions take their time. */
  readonly requireLanding?: RequireLanding | undefined;
  /** Runs a slow check with progress that the user can cancel; a cancelled check writes nothing. */
  readonly whileChecking?: WhileChecking | undefined;
}

export type WhileChecking = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface AcceptedChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly text: string;
  readonly state: 'accepted' | 'partly';
}

const TRIES = 3;

/**
 * Manages the user's decisions about the files that one answer proposes. A proposal is a change relative to the text that it is
 * based on; it is merged into the current file, so that nothing written since is lost. Decisions are persistent.
 */
export class ProposalReview {
  readonly #turn: string;
  readonly #ports: ProposalPorts;
  readonly #source: ProposalSource;
  readonly #steps = new Sequencer();
  /** The merged text of each file that the user last saw. */
  readonly #seen = new Map<string, string>();
  /** The merged text of each file that was last read. */
  readonly #read = new Map<string, string>();
  readonly #verdicts: ProposalVerdicts;

  constructor(ports: ProposalPorts, input: ProposalInput) {
    this.#ports = ports;
    this.#turn = input.turn;
    this.#source = new ProposalSource(ports, input);
    this.#verdicts = new ProposalVerdicts(ports.engine);
  }

  get paths(): readonly string[] {
    return this.#source.paths;
  }

  /** Resolves to the items of all files, each computed independently. Quotations are left out. */
  async items(): Promise<readonly ProposalItem[]> {
    const items = await Promise.all(this.paths.map((path) => this.#item(path)));
    return items.filter((item) => item !== undefined);
  }

  /** Resolves to the changes of some files as they would be written now, for the user to see: they count as seen. */
  async changes(paths: readonly string[]): Promise<readonly ProposedChange[]> {
    const changes = await this.unseenChanges(paths);
    this.seen(changes);
    return changes;
  }

  /** Marks these changes as seen by the user. */
  seen(changes: readonly ProposedChange[]): void {
    for (const { path, after } of changes) this.#seen.set(path, after);
  }

  /** Resolves to the changes of some files as they would be written now, without marking them as seen. */
  async unseenChanges(paths: readonly string[]): Promise<readonly ProposedChange[]> {
    const changes: ProposedChange[] = [];
    for (const path of this.#source.known(paths)) {
      const classified = await this.#source.classified(path);
      if (classified.kind !== 'change' || this.#source.refusal(path) !== undefined) continue;
      const before = (await this.#ports.files.read(path))?.text;
      const { text: after } = await this.#source.merged(path, classified, before);
      this.#read.set(path, after);
      changes.push({ path, before, after, hunks: lineChanges(before ?? '', after) });
    }
    return changes;
  }

  /**
   * Lets the engine check files together, in the version that was last read; resolves to `undefined` if none of them is open, or
   * without an engine. `onBegin` is called when the items show that they are being checked.
   */
  async check(paths: readonly string[], onBegin?: () => void): Promise<EngineVerdict | undefined> {
    const texts = new Map<string, string>();
    for (const path of this.#source.known(paths)) {
      const text = this.#read.get(path);
      const item = await this.#item(path);
      if (text !== undefined && isOpen(item) && item?.canAccept === true) texts.set(path, text);
    }
    const asked = this.#verdicts.of(texts);
    onBegin?.();
    const verdict = await asked;
    return verdict === 'cancelled' ? undefined : verdict;
  }

  /** Returns the answer's code for a file, to be opened beside it. */
  draft(path: string): string {
    return this.#source.code(path);
  }

  /** Writes the open files among these together, if the user has seen them and the engine does not refuse them. */
  accept(paths: readonly string[], options: AcceptOptions = {}): Promise<NotAccepted> {
    return this.#steps.queue(() => again(() => this.#accept(paths, options)));
  }

  /** Opens the merge editor on a file in which the user changed the same lines; the merged text counts as accepted. */
  async merge(path: string): Promise<void> {
    const { files } = this.#ports;
    const classified = await this.#source.classified(path);
    const now = await files.read(path);
    if (classified.kind !== 'change' || !now || this.#source.refusal(path) !== undefined) return;
    const conflict = {
      path,
      base: classified.base ?? '',
      mine: now.text,
      theirs: classified.text,
      title: 'Agent’s proposal',
    };
    if ((await files.merge?.(conflict)) !== true) return;
    await this.#steps.queue(async () => {
      const after = await files.read(path);
      if (!after || after.text === now.text) return;
      await this.#addStep(path, 'accepted', await this.#stepOf(now.text, after.text));
    });
  }

  /** Rejects the open files among these; nothing is written. */
  reject(paths: readonly string[]): Promise<void> {
    return this.#steps.queue(async () => {
      for (const path of this.#source.known(paths)) {
        const item = await this.#item(path);
        if (item?.state === 'open' || item?.state === 'draft') await this.#decide(path, { state: 'rejected' });
      }
    });
  }

  /**
   * Reverts decisions: accepted changes are taken out again, and later edits stay. Resolves to the paths where both affect the
   * same lines.
   */
  undo(paths: readonly string[]): Promise<readonly string[]> {
    return this.#steps.queue(async () => {
      const conflicts: string[] = [];
      for (const path of this.#source.known(paths)) if (!(await again(() => this.#undo(path)))) conflicts.push(path);
      return conflicts;
    });
  }

  /** Opens the merge editor on a file whose accepted change cannot be taken out automatically. */
  async mergeUndo(path: string): Promise<void> {
    const { files, records } = this.#ports;
    const decision = await records.decision(this.#turn, path);
    if (!decision || decision.state === 'rejected') return;
    const back = await takenBack(records, decision.steps, (await files.read(path))?.text);
    if (back.kind !== 'conflict') return;
    const { base, mine, theirs } = back;
    if ((await files.merge?.({ path, base, mine, theirs, title: 'Before the proposal' })) === true)
      await this.#decide(path, undefined);
  }

  async #accept(paths: readonly string[], options: AcceptOptions): Promise<NotAccepted> {
    const [unseen, conflicts]: [string[], string[]] = [[], []];
    const changes: AcceptedChange[] = [];
    for (const path of this.#source.known(paths)) {
      const change = await this.#changeOf(path, options.hunks);
      if (change === 'unseen') unseen.push(path);
      else if (change === 'conflict') conflicts.push(path);
      else if (change) changes.push(change);
    }
    if (changes.length === 0) return { unseen, conflicts };
    const verdict = options.despiteEngine === true ? undefined : await this.#verdictOn(changes, options);
    if (verdict === 'cancelled') return { unseen, conflicts };
    if (verdict?.state === 'refused') return { unseen, conflicts, refused: verdict.errors };
    await this.#write(changes, options);
    return { unseen, conflicts };
  }

  async #verdictOn(
    changes: readonly AcceptedChange[],
    { whileChecking }: AcceptOptions,
  ): Promise<EngineVerdict | 'cancelled' | undefined> {
    const texts = new Map(changes.map(({ path, text }) => [path, text]));
    if (!whileChecking || this.#verdicts.isKnown(texts)) return this.#verdicts.of(texts);
    return whileChecking((signal) => this.#verdicts.of(texts, signal));
  }

  /** Resolves to what accepting a file writes; `undefined` if it is not open, or if the result must not replace the file. */
  async #changeOf(
    path: string,
    hunks: readonly LineChange[] | undefined,
  ): Promise<AcceptedChange | 'unseen' | 'conflict' | undefined> {
    const { files, classifier } = this.#ports;
    const classified = await this.#source.classified(path);
    if (classified.kind !== 'change' || !isOpen(await this.#item(path))) return undefined;
    const before = (await files.read(path))?.text;
    const merged = await this.#source.merged(path, classified, before);
    if (merged.conflicts > 0 && !hunks) return 'conflict';
    if (this.#seen.get(path) !== merged.text) return 'unseen';
    const text = hunks ? withLineChanges(before ?? '', hunks) : merged.text;
    if (text === before || (await classifier.problem(path, before, text, classified.removed)) !== undefined)
      return undefined;
    const isWhole = text === merged.text && merged.conflicts === 0;
    return { path, before, text, state: isWhole ? 'accepted' : 'partly' };
  }

  /** Records the decision before writing, so that it can be undone after a crash in between. */
  async #write(changes: readonly AcceptedChange[], { requireLanding }: AcceptOptions): Promise<void> {
    const { files, records } = this.#ports;
    const earlier: (readonly [string, ProposalDecision | undefined])[] = [];
    for (const { path, before, text, state } of changes) {
      earlier.push([path, await records.decision(this.#turn, path)]);
      await this.#addStep(path, state, await this.#stepOf(before, text));
    }
    try {
      const written = changes.map(({ path, before, text }) => ({ path, before, text }));
      await files.write(written, requireLanding);
    } catch (error) {
      for (const [path, decision] of earlier) await this.#decide(path, decision);
      throw error;
    }
  }

  /** Resolves to false if the user must merge. */
  async #undo(path: string): Promise<boolean> {
    const { files, records } = this.#ports;
    const decision = await records.decision(this.#turn, path);
    if (!decision) return true;
    if (decision.state !== 'rejected') {
      const now = (await files.read(path))?.text;
      const back = await takenBack(records, decision.steps, now);
      if (back.kind === 'conflict') return false;
      if (back.kind === 'impossible') return true;
      if (back.text !== now) await files.write([{ path, before: now, text: back.text }]);
    }
    await this.#decide(path, undefined);
    this.#seen.delete(path);
    return true;
  }

  #item(path: string): Promise<ProposalItem | undefined> {
    return itemOf(
      { ...this.#ports, turn: this.#turn, source: this.#source, seen: this.#seen, verdicts: this.#verdicts },
      path,
    );
  }

  async #stepOf(before: string | undefined, after: string): Promise<AcceptedStep> {
    const { records } = this.#ports;
    return { before: before === undefined ? null : await records.keep(before), after: await records.keep(after) };
  }

  async #addStep(path: string, state: 'accepted' | 'partly', step: AcceptedStep): Promise<void> {
    const known = await this.#ports.records.decision(this.#turn, path);
    const steps = known && known.state !== 'rejected' ? known.steps : [];
    await this.#decide(path, { state, steps: [...steps, step] });
  }

  #decide(path: string, decision: ProposalDecision | undefined): Promise<void> {
    return this.#ports.records.decide(this.#turn, path, decision);
  }
}

function isOpen(item: ProposalItem | undefined): boolean {
  return item?.state === 'open' || item?.state === 'partly';
}

/** Merges a file again if it changes during the merge. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FileMovedOn) || attempt === TRIES) throw error;
    }
  }
}
