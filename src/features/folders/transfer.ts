import type { Clock } from '#base/clock.ts';
import { plural } from '#base/words.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import { direction as directionOf, type Plan, type PlanGuard } from '#sync/core/planning/plan.ts';
import { type PlanDirection, type PlanPurpose, tickedSelection } from './plan-selection.ts';
import { isSpent, type PlanView } from './plan-view.ts';
import type { SyncSession } from './sync-sessions.ts';
import { deletedLocally, withTrash } from './trash.ts';

/** The questions and reports of a transfer. */
export interface TransferHost {
  /** Resolves to whether the user who asked for a push confirms this branch. */
  readonly mayPush: (target: BranchTarget) => Promise<boolean>;
  /** Asks whether to continue in spite of the guards. */
  readonly confirmGuards: (messages: readonly string[]) => Promise<boolean>;
  /** Shows briefly that there was nothing to do. */
  readonly say: (text: string) => void;
  readonly showOutcome: (outcome: SyncOutcome, again: PlanDirection, session: SyncSession) => void;
  /** Reports what a run removed from the folder, and offers to restore it. */
  readonly offerRestore: (session: SyncSession, message: string, ids: readonly string[]) => void;
  /** Refreshes the views of the branch. */
  readonly refresh: () => void;
}

/** The dependencies of a comparison of a folder with its branch. */
export interface ComparisonPorts {
  readonly clock: Clock;
  readonly operations: Operations;
  readonly plan: PlanView;
}

/** The dependencies of a push or a pull of a folder. */
export interface TransferPorts extends ComparisonPorts {
  readonly host: TransferHost;
}

/**
 * Compares both sides and shows the plan; a single harmless change is transferred at once. Nothing is deleted or overwritten that
 * was not shown.
 */
export async function planTransfer(
  ports: TransferPorts,
  session: SyncSession,
  direction: PlanDirection,
): Promise<void> {
  const compared = await comparePlan(ports, session, direction);
  if (!compared) return;
  const { plan, host } = ports;
  if (isSpent(compared, direction)) {
    plan.close();
    const conflicts = session.sync.status.value.conflicts.length;
    const rest = conflicts > 0 ? `; ${plural(conflicts, 'conflict')} to resolve` : '';
    host.say(`Nothing to ${direction}${rest}`);
    return;
  }
  const chosen = compared.entries.filter((entry) => directionOf(entry) === direction);
  const [only] = chosen;
  const selection = plan.selection(direction, compared);
  const isHarmless = only?.kind === 'upload' || only?.kind === 'download';
  const isHeld = guardsOf(compared, direction).length > 0;
  if (!isHeld && chosen.length === 1 && isHarmless && selection.size === 1) {
    plan.close();
    await transfer(ports, session, direction, compared, selection);
    return;
  }
  plan.show(session, direction, compared);
  plan.reveal();
}

/** The plan's page opens when a comparison takes longer than this, ms. */
const showAfter = 400;

/** Compares both sides. A slow comparison is shown on the plan's page; resolves to `undefined` if the user closes that. */
export async function comparePlan(
  { clock, operations, plan }: ComparisonPorts,
  session: SyncSession,
  purpose: PlanPurpose,
): Promise<Plan | undefined> {
  let isShown = false;
  const ended = new AbortController();
  const show = (): void => {
    if (ended.signal.aborted) return;
    isShown = true;
    plan.compare(session, purpose);
    plan.reveal();
  };
  clock.sleep(showAfter, ended.signal).then(show, () => undefined);
  try {
    const compared = await operations.run({
      label: `Comparing with ${session.target.branchName}`,
      key: session.folder.folderId,
      run: async ({ signal }) => session.sync.plan({ signal }),
    });
    return isShown && plan.open.value?.session !== session ? undefined : compared;
  } catch (error) {
    if (isShown) plan.close();
    throw error;
  } finally {
    ended.abort();
  }
}

/** Pulls what changed on the platform; shows the plan first if something needs a review. */
export async function bringChanges(ports: TransferPorts, session: SyncSession): Promise<void> {
  const plan = await session.sync.plan();
  const selection = ports.plan.selection('pull', plan);
  if (selection.size === 0) return;
  const deletes = plan.entries.some((entry) => entry.kind === 'deleteLocal');
  if (guardsOf(plan, 'pull').length > 0 || deletes) await planTransfer(ports, session, 'pull');
  else await transfer(ports, session, 'pull', plan, selection);
}

/** Carries out the ticked entries of the open plan. A plan other than a push or a pull is confirmed on its page. */
export async function applyPlan(ports: TransferPorts): Promise<void> {
  const open = ports.plan.open.value;
  if (!open) throw new Hint('There is no plan to apply.', { title: 'Push Files…', command: 'modelbench.push' });
  const { session, direction, plan, ticked, work } = open;
  if (!plan) throw new Hint('Both sides are still being compared. Apply the plan when it is ready.');
  const selection = tickedSelection(plan, direction, ticked);
  if (selection.size === 0) throw new Hint('Nothing is ticked. Tick the files to transfer, or cancel the plan.');
  if (work) {
    ports.plan.reveal();
    return;
  }
  const outcome = await transfer(ports, session, direction, plan, selection);
  if (outcome?.status === 'done') {
    ports.plan.close();
    return;
  }
  // The plan is spent or partly done; the rest is shown as a new plan.
  if (!outcome) return;
  const rest = await session.sync.plan();
  if (isSpent(rest, direction)) ports.plan.close();
  else ports.plan.show(session, direction, rest);
}

async function transfer(
  ports: TransferPorts,
  session: SyncSession,
  direction: PlanDirection,
  plan: Plan,
  selection: ReadonlySet<string>,
): Promise<SyncOutcome | undefined> {
  const { host } = ports;
  const guards = guardsOf(plan, direction);
  const blocking = guards.find((guard) => !guard.confirmable);
  if (blocking) throw new UserError(blocking.message);
  if (guards.length > 0 && !(await host.confirmGuards(guards.map((guard) => guard.message)))) return undefined;
  if (direction === 'push' && !(await host.mayPush(session.target))) return undefined;
  const label = `${direction === 'push' ? 'Pushing to' : 'Pulling from'} ${session.target.branchName}`;
  const outcome = await runTransfer(ports, session, { direction, plan, selection, guards, label });
  host.refresh();
  if (deletedLocally(outcome)) host.offerRestore(session, withTrash(outcome), outcome.trashed);
  if (outcome.status !== 'done' || !deletedLocally(outcome)) {
    host.showOutcome({ ...outcome, message: withTrash(outcome) }, direction, session);
  }
  return outcome;
}

/** Returns the guards that block a transfer in this direction. */
function guardsOf(plan: Plan, direction: PlanDirection): readonly PlanGuard[] {
  return plan.guards.filter(({ blocks }) => blocks === 'both' || blocks === direction);
}

/** Pushes or pulls the ticked entries, with progress and cancellation. */
export function runTransfer(
  { operations }: Pick<TransferPorts, 'operations'>,
  session: SyncSession,
  transfer: {
    readonly direction: PlanDirection;
    readonly plan: Plan;
    readonly selection: ReadonlySet<string>;
    readonly guards: readonly PlanGuard[];
    readonly label: string;
    readonly message?: string | undefined;
  },
): Promise<SyncOutcome> {
  const { direction, plan, selection, guards, label, message } = transfer;
  return operations.run({
    label,
    key: session.folder.folderId,
    cancellable: true,
    run: async ({ signal, report }) =>
      session.sync[direction](plan, selection, {
        signal,
        message,
        confirmed: guards.map((guard) => guard.kind),
        onProgress: ({ done, total, path }) =>
          report(
            `${done} of ${total}${path === undefined ? '' : ` · ${path}`}`,
            total === 0 ? undefined : done / total,
          ),
      }),
  });
}
