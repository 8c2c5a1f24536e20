import { Sequencer } from '#base/async.ts';
import { isInside } from '#base/path.ts';
import type { TurnBranch } from './thread.ts';
import { type ProposedFile, isProposable } from './proposed-files.ts';

/** Files of the linked folder, as the editor holds them; paths are relative to it. */
export interface ProposalFiles {
  /** `undefined` where there is no such file. */
  read(path: string): Promise<{ readonly text: string; readonly isUnsaved: boolean } | undefined>;
  /** Why the disk does not take a file at this path (a link, a name in other letter case); `undefined` where it does. */
  refusalOf?(path: string): string | undefined;
  /** Changes and saves them like by hand, all or none; without a text the file is deleted. */
  write(changes: readonly FileChange[]): Promise<void>;
}

export interface FileChange {
  readonly path: string;
  readonly text: string | undefined;
}

/** A proposed file as the person sees it. */
export interface ProposalItem {
  readonly path: string;
  readonly state: 'open' | 'accepted' | 'rejected';
  readonly isNew: boolean;
  /** Lines that the proposal adds and takes away. */
  readonly added: number;
  readonly removed: number;
  readonly canUndo: boolean;
  /** Why it cannot be accepted, or what happened since. */
  readonly note?: string | undefined;
}

interface Decision {
  readonly state: 'accepted' | 'rejected';
  /** The text that an accepted proposal took the place of; `undefined`: there was no file. */
  readonly before?: string | undefined;
}

/**
 * What a person does with the files that one answer proposes. The files are the truth: one that holds the proposed text is
 * accepted, however it came to; one that was changed back is open again.
 */
export class ProposalReview {
  readonly #files: ProposalFiles;
  readonly #proposed: readonly ProposedFile[];
  readonly #modelPath: string;
  readonly #decisions = new Map<string, Decision>();
  readonly #steps = new Sequencer();

  constructor(files: ProposalFiles, proposed: readonly ProposedFile[], modelPath: string) {
    this.#files = files;
    this.#proposed = proposed;
    this.#modelPath = modelPath;
  }

  /** The proposed texts of some paths. */
  proposed(paths: readonly string[]): readonly ProposedFile[] {
    return this.#proposed.filter(({ path }) => paths.includes(path));
  }

  items(): Promise<readonly ProposalItem[]> {
    return Promise.all(this.#proposed.map((file) => this.#item(file)));
  }

  /** Writes the open ones among these files, together. Those that cannot be written are left open. */
  accept(paths: readonly string[]): Promise<void> {
    return this.#steps.queue(async () => {
      const changes: (FileChange & { readonly before: string | undefined })[] = [];
      for (const file of this.proposed(paths)) {
        const now = await this.#files.read(file.path);
        if (isSame(now?.text, file.text) || this.#obstacle(file, now?.isUnsaved ?? false)) continue;
        changes.push({ ...file, before: now?.text });
      }
      if (changes.length === 0) return;
      await this.#files.write(changes.map(({ path, text }) => ({ path, text })));
      for (const { path, before } of changes) this.#decisions.set(path, { state: 'accepted', before });
    });
  }

  /** Sets open ones among these files aside; nothing is written. */
  reject(paths: readonly string[]): Promise<void> {
    return this.#steps.queue(async () => {
      for (const { path, text } of this.proposed(paths)) {
        const now = await this.#files.read(path);
        if (!isSame(now?.text, text)) this.#decisions.set(path, { state: 'rejected' });
      }
    });
  }

  /** Takes decisions back: accepted files that nobody has changed since get their earlier text, rejected ones are open. */
  undo(paths: readonly string[]): Promise<void> {
    return this.#steps.queue(async () => {
      const changes: FileChange[] = [];
      for (const { path, text } of this.proposed(paths)) {
        const decision = this.#decisions.get(path);
        if (decision?.state === 'rejected') this.#decisions.delete(path);
        if (decision?.state !== 'accepted') continue;
        const now = await this.#files.read(path);
        if (isSame(now?.text, text) && now?.isUnsaved === false) changes.push({ path, text: decision.before });
      }
      if (changes.length > 0) await this.#files.write(changes);
      for (const { path } of changes) this.#decisions.delete(path);
    });
  }

  async #item(file: ProposedFile): Promise<ProposalItem> {
    const { path, text } = file;
    const now = await this.#files.read(path);
    const decision = this.#decisions.get(path);
    const counts = lineCounts(decision?.state === 'accepted' ? decision.before : now?.text, text);
    const base = { path, isNew: now === undefined, ...counts };
    if (isSame(now?.text, text)) return { ...base, state: 'accepted', canUndo: decision?.state === 'accepted' };
    if (decision?.state === 'rejected') return { ...base, state: 'rejected', canUndo: true };
    if (decision && !isSame(now?.text, decision.before)) {
      return { ...base, state: 'accepted', canUndo: false, note: 'Changed since.' };
    }
    return { ...base, state: 'open', canUndo: false, note: this.#obstacle(file, now?.isUnsaved ?? false) };
  }

  #obstacle(file: ProposedFile, isUnsaved: boolean): string | undefined {
    if (!isInside(file.path, this.#modelPath)) return `Outside of the model’s folder (${this.#modelPath}).`;
    if (!isProposable(file, this.#modelPath)) return 'Not a file of the data model.';
    const refusal = this.#files.refusalOf?.(file.path);
    if (refusal !== undefined) return refusal;
    return isUnsaved ? 'Has unsaved changes: save or revert them first.' : undefined;
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

/** Line ends are the editor's business. */
function isSame(a: string | undefined, b: string | undefined): boolean {
  return a?.replaceAll('\r\n', '\n') === b?.replaceAll('\r\n', '\n');
}

/** How many lines come and go, whatever their order: enough to tell an addition from a replacement. */
function lineCounts(before: string | undefined, after: string): { readonly added: number; readonly removed: number } {
  const left = new Map<string, number>();
  const old = before === undefined ? [] : linesOf(before);
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let kept = 0;
  const lines = linesOf(after);
  for (const line of lines) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    kept += 1;
  }
  return { added: lines.length - kept, removed: old.length - kept };
}

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split(/\r?\n/);
}
