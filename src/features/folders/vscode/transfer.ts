import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { passage, text, textOf } from '#base/user-text.ts';
import type { PlanDirection } from '#features/folders/plan-selection.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import * as transfers from '#features/folders/transfer.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import { offerRestore } from './trash.ts';
import { mayUpload } from './upload-consent.ts';
import { execute, focusView } from '#shell/vscode/guarded/commands.ts';
import type { TransferDeps } from './deps.ts';
import { confirmed } from '#shell/vscode/questions.ts';

/** Compares both sides and shows the plan; a single harmless change is transferred at once. */
export async function planTransfer(deps: TransferDeps, session: SyncSession, direction: PlanDirection): Promise<void> {
  await transfers.planTransfer(portsOf(deps), session, direction);
}

/** Pulls what changed on the platform; shows the plan first if something needs a review. */
export async function bringChanges(deps: TransferDeps, session: SyncSession): Promise<void> {
  await transfers.bringChanges(portsOf(deps), session);
}

/** Carries out the ticked entries of the open plan. A plan other than a push or a pull is confirmed on its page. */
export async function applyPlan(deps: TransferDeps): Promise<void> {
  await transfers.applyPlan(portsOf(deps));
}

function portsOf(deps: TransferDeps): transfers.TransferPorts {
  const { documents, operations, plan } = deps;
  return {
    clock: systemClock,
    operations,
    plan,
    host: {
      mayPush: async (target) => mayPush(deps, target),
      confirmGuards,
      say: (message) => void vscode.window.setStatusBarMessage(text`$(check) ${message}`, 5000),
      showOutcome: (outcome, again, { folder }) =>
        showOutcome(outcome, {
          id: again === 'push' ? 'modelbench.push' : 'modelbench.pullFiles',
          folderId: folder.folderId,
        }),
      offerRestore: (session, message, ids) => offerRestore(deps, session, message, ids),
      refresh: () => documents.refresh(),
    },
  };
}

/** Resolves to whether the user confirms a push to this branch: names a protected one, and warns of one that Git feeds. */
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

/** Asks whether to continue in spite of the guards. */
function confirmGuards(messages: readonly string[]): Promise<boolean> {
  return confirmed(text`Review before continuing`, text`Continue`, passage(messages.join('\n\n')));
}

/** Shows the outcome of a push, a pull or a choice. */
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

/** The command that repeats the transfer. */
interface Repetition {
  readonly id: 'modelbench.push' | 'modelbench.pullFiles';
  readonly folderId: string;
}

/** Shows a problem: failed files can be retried, but files that changed meanwhile must be reviewed first. */
async function showProblem({ message, failed }: SyncOutcome, again: Repetition | undefined): Promise<void> {
  const [retry, refresh, show] = ['Try Again', 'Refresh', 'Show Changes'] as const;
  const buttons = again && failed.length > 0 ? ([retry, refresh, show] as const) : ([show] as const);
  const chosen = await vscode.window.showWarningMessage(textOf(message), ...buttons);
  if (chosen === retry && again) await execute(again.id, { folderId: again.folderId });
  else if (chosen === refresh) await execute('modelbench.changes.refresh');
  if (chosen === refresh || chosen === show) await focusView(views.changes);
}
