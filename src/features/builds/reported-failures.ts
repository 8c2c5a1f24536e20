import type { BuildState } from '#features/platform/index.ts';

/**
 * The branches whose failing build was reported. A build that fails again is not reported: its problems and the status bar show
 * it already, and a notification at every save would hide what matters.
 */
export class ReportedFailures {
  readonly #reported = new Set<string>();

  /** Whether a build that ended is to be reported as failed; `branch` is its `branchKey`. A state that we do not know changes nothing. */
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
