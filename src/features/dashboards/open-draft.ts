import { isEqual } from '#base/equal.ts';
import { text, type UserText } from '#base/user-text.ts';
import { UserError } from '#shell/user-error.ts';
import { DraftBase } from './draft-base.ts';
import { type ConflictDecision, saveDecided, type Sides } from './decide-draft.ts';
import { problemSummary } from './draft-problems.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import type { MergeConflict } from './merge-json.ts';
import type { DraftLocation } from './save-draft.ts';
import type { Workbook } from './workbook.ts';

/** The initial draft of a workbook without a dashboard. */
const emptyDashboard = { title: '', layout: { cols: { lg: 12 }, rowHeight: 30 }, widgets: [] };

/** The interaction with the user and the editor while a draft is saved. */
export interface DraftEditor {
  /** Asks what to do if the user and someone else changed the same fields of a draft. */
  readonly decide: (name: string, conflicts: readonly MergeConflict[]) => Promise<ConflictDecision>;
  /** Replaces the problems that are shown in the document. */
  readonly mark: (problems: readonly DocumentProblem[]) => void;
  /** Opens the comparison of both sides after the failed save has ended. */
  readonly compare: (sides: Sides) => void;
  /** Reports that the draft was saved. */
  readonly report: (message: UserText) => void;
}

/** The draft of a workbook in an open document: the workbook, and the base of the document's text. */
export class OpenDraft {
  readonly workbook: Workbook;
  readonly #location: DraftLocation;
  readonly #base = new DraftBase();

  constructor(workbook: Workbook, location: DraftLocation) {
    this.workbook = workbook;
    this.#location = location;
  }

  /** Reads the platform's draft, or an empty one if there is none. */
  async read(): Promise<unknown> {
    const read = await this.#location.read();
    const shown = read ?? emptyDashboard;
    this.#base.opened(read, shown);
    return shown;
  }

  /**
   * Saves the value of the document. Resolves to its new value, `undefined` if that is unchanged. Throws `UserError` if nothing
   * was saved: the draft is invalid, or the user cancelled or chose to compare.
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
        const how = saved.isMerged ? 'merged and saved' : 'saved';
        editor.report(text`$(check) Draft of “${name}” ${how}, not published yet`);
        editor.mark(saved.warnings);
        return saved.shown;
      }
    }
  }

  /**
   * Replaces the text of the document with the merge of both sides; `replace` resolves to whether it succeeded. The next save
   * then merges with the platform's version of the comparison.
   */
  async offer(sides: Sides, replace: (merged: unknown) => Promise<boolean>): Promise<boolean> {
    this.#base.offered(sides);
    if (!(await replace(sides.merged))) return false;
    this.#base.showing(sides.merged);
    return true;
  }

  /** Records the current value of the document, which may be an earlier text (*Undo*, *Revert File*, a reopened editor). */
  showing(value: unknown): void {
    this.#base.showing(value);
  }

  /** Records the base of edits that survived a reload of the window. */
  restored(base: unknown): void {
    this.#base.restored(base);
  }

  /** Whether the document was made from a different draft than this one of the platform. */
  isOlderThan(draft: unknown): boolean {
    return !isEqual(this.#base.value, draft);
  }
}
