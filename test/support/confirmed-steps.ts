import * as devMode from '#features/branches/dev-mode.ts';
import * as workflow from '#features/history/git-workflow.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { GatedStep } from '#features/platform/production-gate.ts';
import { type GateQuestion, type ProductionPass, throughGate } from '#features/platform/production-pass.ts';
import type { BranchTarget } from '#shell/targets.ts';

// The Git steps of a user who gets no questions, for tests that are not about the production gate.

/** Returns a pass for one call, as the gate issues it for a step that cannot reach production. */
export async function passFor(step: GatedStep, target: BranchTarget): Promise<ProductionPass> {
  const situation = {
    step,
    from: target.branchName,
    to: 'shared',
    isDeploy: false,
    isProtected: false,
    deployment: 'Shop',
    build: 'built',
    content: undefined,
  } as const;
  const refuse = (): never => {
    throw new Error('Nothing is asked here.');
  };
  // A deletion always has a question, which this user answers.
  const ask = async (question: GateQuestion): Promise<GateQuestion> =>
    Promise.resolve(step === 'deleteBranch' ? question : refuse());
  const ports = { read: () => Promise.resolve(situation), ask, say: refuse };
  const outcome = await throughGate(target, ports, (pass) => Promise.resolve(pass));
  return outcome.kind === 'sent' ? outcome.value : refuse();
}

export async function commitBranch(data: PlatformData, target: BranchTarget, message: string): workflow.GitResult {
  return workflow.commitBranch(data, target, message, await passFor('commit', target));
}

export async function pullThrough(
  data: PlatformData,
  target: BranchTarget,
  parent: string,
  message: string,
): workflow.GitResult {
  return workflow.pullThrough(data, target, { parent, message }, await passFor('commit', target));
}

export async function mergeBranch(
  data: PlatformData,
  target: BranchTarget,
  options: workflow.MergeOptions,
): workflow.GitResult {
  return workflow.mergeBranch(data, target, options, await passFor('merge', target));
}

export async function mergeToDefault(
  data: PlatformData,
  target: BranchTarget,
  options: Parameters<typeof workflow.mergeToDefault>[2],
): workflow.GitResult {
  return workflow.mergeToDefault(data, target, options, await passFor('mergeToDefault', target));
}

export async function deleteBranch(
  desk: Parameters<typeof devMode.deleteBranch>[0],
  target: BranchTarget,
): Promise<void> {
  await devMode.deleteBranch(desk, target, await passFor('deleteBranch', target));
}
