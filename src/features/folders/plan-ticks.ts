import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import type { StateStore } from '#shell/ports.ts';
import type { PlanPurpose } from './plan-selection.ts';
import { StoredTicks } from './stored-ticks.ts';

/** The most decisions to remember; the oldest are dropped first. */
const MOST = 20_000;

/**
 * The changes that the user ticked and unticked. A decision belongs to the change itself (path, kind, versions), not to the plan
 * that showed it, so it holds in every later plan that has the same change.
 */
export class PlanTicks {
  readonly #decided = new Map<string, boolean>();
  readonly #stored: StoredTicks | undefined;
  /** Deletions that the user ticked in the review in progress. */
  readonly #tickedDeletions = new Set<string>();
  /** The changes that the review in progress has shown, and whether each was offered unticked. */
  #review: { readonly scope: string; readonly changes: ReadonlyMap<string, boolean> } | undefined;

  /** `state`: where decisions outlive the window. */
  constructor(state?: StateStore) {
    this.#stored = state && new StoredTicks(state);
  }

  /**
   * Returns the ticked paths of a plan: the user's decisions, otherwise `usual`. A deletion that first appears during a review
   * stays unticked in it, and so does a file that was unticked before a reload of the window, whatever its version is now.
   */
  of(purpose: PlanPurpose, plan: Plan, usual: ReadonlySet<string>): ReadonlySet<string> {
    const scope = scopeOf(purpose, plan);
    const isTicked = (entry: PlanEntry): boolean =>
      this.#decided.get(changeOf(scope, entry)) ??
      this.#stored?.of(scope, entry.path, changeOf(scope, entry)) ??
      (usual.has(entry.path) && !this.#isHeldBack(scope, entry));
    return new Set(plan.entries.filter(isTicked).map(({ path }) => path));
  }

  /** Records that the user is shown a plan. */
  shown(purpose: PlanPurpose, plan: Plan): void {
    const scope = scopeOf(purpose, plan);
    const changes = plan.entries.map((entry) => [changeOf(scope, entry), this.#isHeldBack(scope, entry)] as const);
    this.#review = { scope, changes: new Map(changes) };
  }

  /**
   * Ends the review: the next plan starts afresh, apart from the user's decisions. A ticked deletion holds for this review only:
   * the same version may come back, and is then deleted only if the user ticks it again.
   */
  ended(): void {
    this.#review = undefined;
    for (const change of this.#tickedDeletions) if (this.#decided.get(change) === true) this.#decided.delete(change);
    this.#tickedDeletions.clear();
    this.#stored?.ended();
  }

  decide(purpose: PlanPurpose, plan: Plan, paths: ReadonlySet<string>, isTicked: boolean): void {
    const scope = scopeOf(purpose, plan);
    for (const entry of plan.entries) {
      if (!paths.has(entry.path)) continue;
      const change = changeOf(scope, entry);
      this.#decided.delete(change);
      this.#decided.set(change, isTicked);
      if (isTicked && isDeletion(entry)) this.#tickedDeletions.add(change);
      this.#stored?.decide(scope, entry.path, { change, isTicked, isOfReview: isTicked && isDeletion(entry) });
    }
    this.#stored?.save();
    for (const oldest of this.#decided.keys()) {
      if (this.#decided.size <= MOST) break;
      this.#decided.delete(oldest);
    }
  }

  #isHeldBack(scope: string, entry: PlanEntry): boolean {
    if (this.#review?.scope !== scope || !isDeletion(entry)) return false;
    return this.#review.changes.get(changeOf(scope, entry)) ?? true;
  }
}

function scopeOf(purpose: PlanPurpose, { target }: Plan): string {
  return JSON.stringify([purpose, target]);
}

function isDeletion({ kind }: PlanEntry): boolean {
  return kind === 'deleteRemote' || kind === 'deleteLocal';
}

/** Returns a key made of everything that distinguishes a change from another. */
function changeOf(scope: string, entry: PlanEntry): string {
  return `${scope}${JSON.stringify(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
