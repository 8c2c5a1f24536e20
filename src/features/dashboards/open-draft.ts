import { isEqual } from '#base/equal.ts';
import { text, type UserText } from '#base/user-text.ts';
import { UserError } from '#shell/user-error.ts';
import { DraftBase } from './draft-base.ts';
import { type Decision, saveDecided, type Sides } from './decide-draft.ts';
import { type DraftProblem, problemSummary } from './draft-problems.ts';
import type { MergeConflict } from './merge-json.ts';
import type { DraftLocation } from './save-draft.ts';
import type { Workbook } from './workbook.ts';

/** What a draft starts with where the workbook has no dashboard yet. */
const emptyDashboard = { title: '', layout: { cols: { lg: 12 }, rowHeight: 30 }, widgets: [] };

/** What saving a draft asks of the user and of the editor that shows it. */
export interface DraftEditor {
  /** Asks what to do where the user and someone else changed the same fields of a draft. */
  readonly decide: (name: string, conflicts: readonly MergeConflict[]) => Promise<Decision>;
  /** Marks what is wrong in the document, and nothing else. */
  readonly mark: (problems: readonly DraftProblem[]) => void;
  /** Opens the comparison of both sides, once the save that failed is over. */
  readonly compare: (sides: Sides) => void;
  /** Reports that the draft is saved, without a question. */
  readonly report: (message: UserText) => void;
}

/** The draft of a workbook in an open document: whose it is, and what its text was made from. */
export class OpenDraft {
  readonly workbook: Workbook;
  readonly #location: DraftLocation;
  readonly #base = new DraftBase();

  constructor(workbook: Workbook, location: DraftLocation) {
    this.workbook = workbook;
    this.#location = location;
  }

  /** What the document shows: the platform's draft, or an empty one where there is none. */
  async read(): Promise<unknown> {
    const read = await this.#location.read();
    const shown = read ?? emptyDashboard;
    this.#base.opened(read, shown);
    return shown;
  }

  /**
   * Saves what the document says. Resolves with what it should say then, `undefined` where it says that already. Throws
   * `UserError` where nothing was saved: it is invalid, or the user gave up or chose to compare.
   */
  async save(mine: unknown, editor: DraftEditor): Promise<unknown> {
    const { name } = this.workbook;
    const saved = await saveDecided(this.#location, this.#base, mine, (conflicts) => editor.decide(name, conflicts));
    switch (saved.kind) {
      case 'invalid':
        editor.mark(saved.problems);
        throw new UserError(`Nothing was saved: ${problemSummary(saved.problems)}.`);
      case 'declined':
        throw new UserError('Nothing was saved: the platform has a newer draft. Your change is still in the document.');
      case 'compare':
        editor.compare(saved.sides);
        throw new UserError('Nothing was saved yet: choose in the comparison, then save again.');
      default: {
        const how = saved.isMerged ? 'merged with the newer one and saved' : 'saved';
        editor.report(text`$(check) Draft of “${name}” ${how}; it is not published yet`);
        editor.mark(saved.warnings);
        return saved.shown;
      }
    }
  }

  /**
   * Replaces the text of the document by what both sides make together; `replace` answers whether it did. Then a save merges
   * with the platform's version of the comparison.
   */
  async offer(sides: Sides, replace: (merged: unknown) => Promise<boolean>): Promise<boolean> {
    this.#base.offered(sides);
    if (!(await replace(sides.merged))) return false;
    this.#base.showing(sides.merged);
    return true;
  }

  /** The document says `value` now: it may be an earlier text, by *Undo*, *Revert File* or an editor that is opened again. */
  showing(value: unknown): void {
    this.#base.showing(value);
  }

  /** Edits of the document outlived a reload of the window; they were made from `base`. */
  restored(base: unknown): void {
    this.#base.restored(base);
  }

  /** Whether the document was made from another draft than this one of the platform. */
  isOlderThan(draft: unknown): boolean {
    return !isEqual(this.#base.value, draft);
  }
}
