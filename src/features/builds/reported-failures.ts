import type { BuildState } from '#features/platform/index.ts';

/**
 * The branches whose failing build was already reported. A repeated failure is not reported again: its problems and the status
 * bar show it already, and a notification after every save would hide important ones.
 */
export class ReportedFailures {
  readonly #reported = new Set<string>();

  /** Whether to report a finished build as a new failure; `branch` is its `branchKey`. An unknown state changes nothing. */
  isNews(branch: string, { phase }: Pick<BuildState, 'phase'>): boolean {
    if (phase === 'unknown') return false;
    if (phase !== 'failed') {
      this.#reported.delete(branch);
      return false;
    }
    if (this.#reported.has(branch)) return false;
    this.#reported.add(branch);
    return true;
  }
}
