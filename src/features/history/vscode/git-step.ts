import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { GateHost } from '#features/history/at-gate.ts';
import { lateText } from '#features/platform/index.ts';
import type { GitResult } from '#features/history/git-workflow.ts';
import { runStep, type StepSpec } from '#features/history/run-step.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import { stoppedByConflict } from './git-conflicts.ts';
import type { GateDeps, GitStepDeps } from './deps.ts';

/** Runs one Git step; stores and shows a conflict as such. Resolves to whether the step succeeded. */
export async function runGit(
  deps: GitStepDeps,
  target: BranchTarget,
  spec: StepSpec,
  work: () => GitResult,
): Promise<boolean> {
  const { step, from, options, typed, removesBranch, leftOut, label, done } = spec;
  const outcome = await runStep(deps, target, spec, work);
  if (!outcome.ok) {
    const asked = { step, from: outcome.error.from ?? from ?? '', options, typed, removesBranch, leftOut, label };
    await stoppedByConflict(deps, target, outcome.error, asked);
    return false;
  }
  // The comparison was read with the answer. It decides whether this is a success: the message is kept for another attempt if not.
  const late = await outcome.value.late;
  if (late) showHint(lateText(late));
  if (late?.hadNoEffect === true) return false;
  const hash = outcome.value.lastHash === undefined ? '' : ` at ${outcome.value.lastHash.slice(0, 7)}`;
  vscode.window.setStatusBarMessage(text`$(check) ${done}${hash}`, 8000);
  return true;
}

/** Returns how the production gate asks in this window. */
export function gateHost({ data, confirmStep }: GateDeps): GateHost {
  return { isProtected: (target) => isProtected({ data }, target), confirm, confirmStep, say: showHint, reading };
}

/** Shows in the status bar that a step is being checked. */
async function reading<T>(work: () => Promise<T>): Promise<T> {
  const where = { location: vscode.ProgressLocation.Window, title: text`Checking what the step sends` };
  return vscode.window.withProgress(where, work);
}

/** Shows a hint as information, because nothing has failed. */
export function showHint(hint: string): void {
  void vscode.window.showInformationMessage(textOf(hint));
}
