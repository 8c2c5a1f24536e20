import { plural } from '#base/words.ts';
import type { GitResult } from '#features/history/git-workflow.ts';
import { type BranchStep, BuildChecks, readCheckedStep } from '#features/platform/gated-branch.ts';
import { lateText } from '#features/platform/late-files.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { GatedSituation } from '#features/platform/production-gate.ts';
import type { ProductionPass } from '#features/platform/production-pass.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { OpenedDeployment } from '#tools/platform/deployment.ts';
import { dataOf, isProtectedIn, type Step, throughToolGate } from './gate.ts';
import { oneLine } from '#tools/one-line.ts';
import type { ToolPorts } from '#tools/ports.ts';
import { pathOnPlatform } from '#tools/platform/shown-path.ts';
import { type ToolContext, ToolError } from '#tools/tool.ts';
import { unsentChanges } from '#tools/platform/unsent-changes.ts';

interface GitStep extends Pick<BranchStep, 'step' | 'endsBranch'> {
  readonly ports: Pick<ToolPorts, 'isProtected' | 'sync'>;
  readonly opened: OpenedDeployment;
  readonly branch: string;
  readonly yes: boolean;
  /** The id of the reviewed plan. */
  readonly plan: string | undefined;
}

/** Runs a commit or a merge through the production gate. */
export async function gitStep(
  { ports, opened, branch, step, endsBranch, yes, plan }: GitStep,
  context: ToolContext,
  send: (data: PlatformData, target: BranchTarget, pass: ProductionPass) => GitResult,
): Promise<Step> {
  const { client, tenantUrl, deployment } = opened;
  const data = dataOf(client, tenantUrl);
  const target = { accountId: tenantUrl, deploymentId: deployment.id, branchName: branch };
  context.progress(`Comparing ${branch} with its destination`);
  // A plan that is shown, or was, is compared even if it cannot reach production.
  const review = { kind: !yes || plan !== undefined ? 'always' : 'ifNeeded' } as const;
  const reader = { data, isProtected: isProtectedIn(ports), checks: new BuildChecks() };
  const read = async (): Promise<GatedSituation> =>
    readCheckedStep(reader, { step, target, endsBranch, review }, context.signal);
  try {
    const warnings = await unsent(ports, opened, branch, context);
    return await throughToolGate({ opened, target, read, yes, reviewed: plan, warnings }, context, async (pass) => {
      const result = await send(data, target, pass);
      if (result.ok) {
        const late = await result.value.late;
        if (late?.hadNoEffect === true) throw new ToolError('platform', oneLine(lateText(late)));
        const done = doneText(step, branch, result.value.lastHash);
        return { status: 'done', message: late ? `${done} ${oneLine(lateText(late))}` : done };
      }
      const { message, paths } = result.error;
      const named = paths.length === 0 ? '' : ` ${paths.map((path) => pathOnPlatform(opened, path)).join(', ')}.`;
      return {
        status: 'conflict',
        message: `${message}${named} Resolve the conflict in the editor, then do it again.`,
      };
    });
  } finally {
    data.dispose();
  }
}

/** Resolves to a warning if changes of the folder are not on the branch, and so not in the step. */
async function unsent(
  ports: Pick<ToolPorts, 'sync'>,
  opened: OpenedDeployment,
  branch: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const waiting = (await unsentChanges(ports, opened, branch, context)) ?? 0;
  if (waiting === 0) return [];
  return [
    `${plural(waiting, 'change of the folder is', 'changes of the folder are')} not on “${branch}” and will not be in it. Push first.`,
  ];
}

function doneText(step: BranchStep['step'], branch: string, hash: string | undefined): string {
  const done = step === 'commit' ? 'Committed' : 'Merged';
  return `${done} “${branch}”${hash === undefined ? '' : ` as ${hash.slice(0, 7)}`}. “builds” shows its progress.`;
}
