import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text, textOf } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { type PlanDirection, type PlanPurpose, tickedSelection } from '#features/folders/plan-selection.ts';
import { tookAway, withTrash } from '#features/folders/trash.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import { direction as directionOf, type Plan, type PlanGuard } from '#sync/core/plan.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import { isSpent } from '#features/folders/plan-view.ts';
import { offerRestore } from './trash.ts';
import { mayUpload } from './upload-consent.ts';
import { execute, focusView } from '#shell/vscode/guarded/commands.ts';
import type { ComparisonDeps, TransferDeps } from './deps.ts';

/**
 * Compares both sides and shows the plan; a single harmless change goes at once. Nothing is deleted or overwritten that
 * was not shown.
 */
export async function planTransfer(deps: TransferDeps, session: SyncSession, direction: PlanDirection): Promise<void> {
  const plan = await comparePlan(deps, session, direction);
  if (!plan) return;
  const chosen = plan.entries.filter((entry) => directionOf(entry) === direction);
  const held = plan.guards.some((guard) => guard.blocks === 'both' || guard.blocks === direction);
  if (isSpent(plan, direction)) {
    deps.plan.close();
    const conflicts = session.sync.status.value.conflicts.length;
    const rest = conflicts > 0 ? `; ${plural(conflicts, 'conflict')} to resolve` : '';
    vscode.window.setStatusBarMessage(text`$(check) Nothing to ${direction}${rest}`, 5000);
    return;
  }
  const [only] = chosen;
  const selection = deps.plan.selection(direction, plan);
  const isHarmless = only?.kind === 'upload' || only?.kind === 'download';
  if (!held && chosen.length === 1 && isHarmless && selection.size === 1) {
    deps.plan.close();
    await transfer(deps, session, direction, plan, selection);
    return;
  }
  deps.plan.show(session, direction, plan);
  deps.plan.reveal();
}

/** A comparison that takes longer than this shows that it continues, milliseconds. */
const showAfter = 400;

/** Compares both sides; one that takes long is shown on the plan's page, and closing that gives it up (`undefined`). */
export async function comparePlan(
  deps: ComparisonDeps,
  session: SyncSession,
  purpose: PlanPurpose,
): Promise<Plan | undefined> {
  let shown = false;
  const later = setTimeout(() => {
    shown = true;
    deps.plan.compare(session, purpose);
    deps.plan.reveal();
  }, showAfter);
  try {
    const plan = await deps.operations.run({
      label: `Comparing with ${session.target.branchName}`,
      key: session.folder.folderId,
      run: async ({ signal }) => session.sync.plan({ signal }),
    });
    return shown && deps.plan.open.value?.session !== session ? undefined : plan;
  } catch (error) {
    if (shown) deps.plan.close();
    throw error;
  } finally {
    clearTimeout(later);
  }
}

/** Brings what changed on the platform into the folder; shows the plan first where something needs a review. */
export async function bringChanges(deps: TransferDeps, session: SyncSession): Promise<void> {
  const plan = await session.sync.plan();
  const selection = deps.plan.selection('pull', plan);
  if (selection.size === 0) return;
  const held = plan.guards.some((guard) => guard.blocks !== 'push');
  const deletes = plan.entries.some((entry) => entry.kind === 'deleteLocal');
  if (held || deletes) await planTransfer(deps, session, 'pull');
  else await transfer(deps, session, 'pull', plan, selection);
}

/** Carries out what is ticked of the open plan; other work than a push or a pull is confirmed on its page. */
export async function applyPlan(deps: TransferDeps): Promise<void> {
  const open = deps.plan.open.value;
  if (!open) throw new Hint('There is no plan to apply.', { title: 'Push Files…', command: 'modelbench.push' });
  const { session, direction, plan, ticked, work } = open;
  if (!plan) throw new Hint('Both sides are still being compared. Apply the plan when it is ready.');
  const selection = tickedSelection(plan, direction, ticked);
  if (selection.size === 0) throw new Hint('Nothing is ticked. Tick the files to transfer, or cancel the plan.');
  if (work) {
    deps.plan.reveal();
    return;
  }
  const outcome = await transfer(deps, session, direction, plan, selection);
  if (outcome?.status === 'done') {
    deps.plan.close();
    return;
  }
  // The plan is spent or partly done: what is left is a new plan.
  if (!outcome) return;
  const rest = await session.sync.plan();
  if (isSpent(rest, direction)) deps.plan.close();
  else deps.plan.show(session, direction, rest);
}

async function transfer(
  deps: TransferDeps,
  session: SyncSession,
  direction: PlanDirection,
  plan: Plan,
  selection: ReadonlySet<string>,
): Promise<SyncOutcome | undefined> {
  const guards = plan.guards.filter((guard) => guard.blocks === 'both' || guard.blocks === direction);
  const blocking = guards.find((guard) => !guard.confirmable);
  if (blocking) throw new UserError(blocking.message);
  if (guards.length > 0 && !(await confirmGuards(guards.map((guard) => guard.message)))) return undefined;
  if (direction === 'push' && !(await mayPush(deps, session.target))) return undefined;
  const label = `${direction === 'push' ? 'Pushing to' : 'Pulling from'} ${session.target.branchName}`;
  const outcome = await carryOut(deps, session, { direction, plan, selection, guards, label });
  deps.documents.refresh();
  if (tookAway(outcome)) offerRestore(deps, session, withTrash(outcome), outcome.trashed);
  if (outcome.status !== 'done' || !tookAway(outcome)) {
    const id = direction === 'push' ? 'modelbench.push' : 'modelbench.pullFiles';
    showOutcome({ ...outcome, message: withTrash(outcome) }, { id, folderId: session.folder.folderId });
  }
  return outcome;
}

/** Whether a user who asked for a push means this branch: a protected one is named, one that Git feeds warned of. */
async function mayPush(deps: TransferDeps, target: BranchTarget): Promise<boolean> {
  const { branchName } = target;
  const isSure =
    !isProtected(deps, target) ||
    (await confirm({
      title: `Push to “${branchName}”?`,
      detail: `“${branchName}” is protected.`,
      button: 'Push',
      typed: branchName,
    }));
  return isSure && mayUpload(deps, target);
}

/** Sends or brings what is ticked, with progress and cancel. */
export function carryOut(
  { operations }: Pick<TransferDeps, 'operations'>,
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

/** Asks whether to continue in spite of what the guards say. */
async function confirmGuards(messages: readonly string[]): Promise<boolean> {
  const go = 'Continue';
  const detail = messages.join('\n\n');
  return (
    (await vscode.window.showWarningMessage(
      'Review before continuing',
      { modal: true, detail: passage(detail) },
      go,
    )) === go
  );
}

/** Says how a push, a pull or a choice ended. */
export function showOutcome(outcome: SyncOutcome, again?: Repetition): void {
  const { status, message } = outcome;
  switch (status) {
    case 'done':
      vscode.window.setStatusBarMessage(text`$(check) ${message}`, 8000);
      return;
    case 'cancelled':
      vscode.window.setStatusBarMessage(text`$(circle-slash) ${message}`, 8000);
      return;
    case 'partial':
    case 'refused':
      void showProblem(outcome, again);
  }
}

/** The command that does the same again. */
interface Repetition {
  readonly id: 'modelbench.push' | 'modelbench.pullFiles';
  readonly folderId: string;
}

/** What failed can be tried again; what changed meanwhile has to be seen first. */
async function showProblem({ message, failed }: SyncOutcome, again: Repetition | undefined): Promise<void> {
  const [retry, refresh, show] = ['Try Again', 'Refresh', 'Show Changes'] as const;
  const buttons = again && failed.length > 0 ? ([retry, refresh, show] as const) : ([show] as const);
  const chosen = await vscode.window.showWarningMessage(textOf(message), ...buttons);
  if (chosen === retry && again) await execute(again.id, { folderId: again.folderId });
  else if (chosen === refresh) await execute('modelbench.changes.refresh');
  if (chosen === refresh || chosen === show) await focusView(views.changes);
}
