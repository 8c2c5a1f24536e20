import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import {
  type PlanDirection,
  type PlanPurpose,
  planSelection,
  tickedSelection,
} from '#features/folders/plan-selection.ts';
import { PlanTicks } from '#features/folders/plan-ticks.ts';
import type { ReviewDocument, ReviewInput } from '#features/review/messages.ts';
import type { StateStore } from '#shell/ports.ts';
import type { Plan } from '#sync/core/planning/plan.ts';

/** The fields that the user fills in and confirms on the page before other work is carried out. */
export type PlanForm = Pick<ReviewDocument, 'message' | 'confirmation' | 'warnings'>;

/** The work of a plan other than a push or a pull of a dev branch. */
export interface PlanWork {
  readonly form: ReadonlyStore<PlanForm>;
  /** Stores the message as it is typed: a draft that outlives the page. */
  readonly keep: (message: string) => void;
  /** Carries out the plan; resolves to whether the plan is spent and can be closed. */
  readonly apply: (plan: Plan, selection: ReadonlySet<string>, input: ReviewInput) => Promise<boolean>;
  /** Called when the plan is closed, whatever the outcome. */
  readonly release: () => void;
  /** Turns a comparison of both sides into the plan to show. */
  readonly planOf: (compared: Plan) => WorkPlan;
}

/** A plan with its initial ticks, and notes on files by path. */
export interface WorkPlan {
  readonly plan: Plan;
  readonly ticked: ReadonlySet<string>;
  readonly notes: ReadonlyMap<string, string>;
}

/** The plan that waits for the user's ticks. */
export interface OpenPlan {
  readonly session: SyncSession;
  readonly direction: PlanDirection;
  readonly purpose: PlanPurpose;
  /** `undefined` while both sides are being compared. */
  readonly plan: Plan | undefined;
  readonly ticked: ReadonlySet<string>;
  readonly work: PlanWork | undefined;
  /** Notes on files, by path. */
  readonly notes: ReadonlyMap<string, string> | undefined;
  /** Identifies the review that the plan was opened for: stays the same while the plan follows changes on either side. */
  readonly review: symbol;
}

/** The open plan and its ticks; a page of the editor area draws it, *Apply* reads it. */
export class PlanView implements Disposable {
  readonly #open = new Store<OpenPlan | undefined>(undefined);
  readonly #revealed = new Emitter<void>();
  readonly #ticks: PlanTicks;
  #following: Disposable | undefined;

  /** `state`: where ticks outlive the window. */
  constructor(state?: StateStore) {
    this.#ticks = new PlanTicks(state);
  }

  get open(): ReadonlyStore<OpenPlan | undefined> {
    return this.#open;
  }

  /** Fires when the plan should be shown to the user. */
  get onDidReveal(): Event<void> {
    return this.#revealed.event;
  }

  /** Shows the plan to the user. */
  reveal(): void {
    this.#revealed.fire();
  }

  /** Marks a plan as being made, so that the page is not empty meanwhile. */
  compare(session: SyncSession, purpose: PlanPurpose): void {
    const direction = purpose === 'pull' ? 'pull' : 'push';
    const review = Symbol(purpose);
    this.#set({
      session,
      direction,
      purpose,
      plan: undefined,
      ticked: new Set(),
      work: undefined,
      notes: undefined,
      review,
    });
  }

  /** Shows a plan, and then each later plan of the session with the same ticks. */
  show(session: SyncSession, direction: PlanDirection, plan: Plan): void {
    this.#show(session, direction, plan, Symbol(direction));
    this.#follow(session, plan, (next, review) => {
      if (isSpent(next, direction)) this.close();
      else this.#show(session, direction, next, review);
    });
  }

  #follow(session: SyncSession, shown: Plan, show: (next: Plan, review: symbol) => void): void {
    const { status } = session.sync;
    let last = shown;
    const follow = (): void => {
      const open = this.#open.value;
      const next = status.value.plan;
      if (open?.session !== session || next === undefined || next === last) return;
      last = next;
      show(next, open.review);
    };
    this.#following = status.onDidChange(follow);
    // The plan may have been outdated before it was shown.
    follow();
  }

  #show(session: SyncSession, direction: PlanDirection, plan: Plan, review: symbol): void {
    const ticked = this.selection(direction, plan);
    this.#ticks.shown(direction, plan);
    const open = { session, direction, purpose: direction, plan, ticked, work: undefined, notes: undefined, review };
    this.#present(open);
  }

  #present(open: OpenPlan): void {
    if (this.#open.value?.review === open.review) this.#open.set(open);
    else this.#set(open);
  }

  /** Returns what a direction would carry out: everything except what the user has unticked before. */
  selection(direction: PlanDirection, plan: Plan): ReadonlySet<string> {
    const usual = planSelection(plan, direction);
    const ticked = this.#ticks.of(direction, plan, usual);
    return new Set([...usual].filter((path) => ticked.has(path)));
  }

  /** Shows a deploy: a push with its own work, which follows changes on either side like every plan. */
  showDeploy(session: SyncSession, compared: Plan, work: PlanWork): void {
    this.#showDeploy(session, work.planOf(compared), work, Symbol('deploy'));
    this.#follow(session, compared, (next, review) => {
      const made = work.planOf(next);
      if (isNothing(made)) this.close();
      else this.#showDeploy(session, made, work, review);
    });
  }

  #showDeploy(session: SyncSession, { plan, ticked: usual, notes }: WorkPlan, work: PlanWork, review: symbol): void {
    const ticked = this.#ticks.of('deploy', plan, usual);
    this.#ticks.shown('deploy', plan);
    this.#present({ session, direction: 'push', purpose: 'deploy', plan, ticked, work, notes, review });
  }

  /** Carries out work other than a push or a pull, with the user's input; closes a plan that is spent. */
  async applyWork(input: ReviewInput): Promise<void> {
    const open = this.#open.value;
    if (!open?.plan || !open.work) return;
    const { plan, direction, ticked, work } = open;
    if (await work.apply(plan, tickedSelection(plan, direction, ticked), input)) this.close();
  }

  close(): void {
    this.#ticks.ended();
    this.#set(undefined);
  }

  /** Closes a plan whose sync is closed; a deploy has its own sync, so its plan stays. */
  keepOnly(sessions: readonly Pick<SyncSession, 'sync'>[]): void {
    const open = this.#open.value;
    if (open && open.purpose !== 'deploy' && !sessions.some(({ sync }) => sync === open.session.sync)) this.close();
  }

  /** Ticks or unticks files that the plan would transfer. */
  tick(paths: readonly string[], isTicked: boolean): void {
    const open = this.#open.value;
    if (!open?.plan) return;
    const ticked = new Set(open.ticked);
    const transferred = planSelection(open.plan, open.direction);
    const chosen = new Set(paths.filter((path) => transferred.has(path)));
    for (const path of chosen) {
      if (isTicked) ticked.add(path);
      else ticked.delete(path);
    }
    this.#ticks.decide(open.purpose, open.plan, chosen, isTicked);
    this.#open.set({ ...open, ticked });
  }

  dispose(): void {
    // The window ends, and not the review: the next window shows the same ticks.
    this.#set(undefined);
    this.#revealed.dispose();
    this.#open.dispose();
  }

  #set(open: OpenPlan | undefined): void {
    const before = this.#open.value?.work;
    this.#following?.dispose();
    this.#following = undefined;
    this.#open.set(open);
    if (before && before !== open?.work) before.release();
  }
}

/** Whether a plan of other work has nothing to carry out and no notes. */
export function isNothing({ ticked, notes }: WorkPlan): boolean {
  return ticked.size + notes.size === 0;
}

/** Whether a direction has nothing to carry out and nothing to report. */
export function isSpent(plan: Plan, direction: PlanDirection): boolean {
  const isHeld = plan.guards.some(({ blocks }) => blocks === 'both' || blocks === direction);
  return !isHeld && planSelection(plan, direction).size === 0;
}
