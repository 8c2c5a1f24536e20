import * as v from 'valibot';
import { sha1 } from '#features/platform/sha1.ts';
import type { GatedSituation } from '#features/platform/production-gate.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { ToolError } from '#tools/tool.ts';

/** The plan of a reviewed step. */
export const stepPlanInput = v.optional(
  v.pipe(
    v.string(),
    v.description('The id of the plan that was reviewed: where anything of it has changed, nothing is done.'),
  ),
);

/** Resolves to an id that is equal only if the step would do the same: from and to the same branch, with the same changes. */
export async function stepPlanId(
  { accountId, deploymentId, branchName }: BranchTarget,
  { step, to, isDeploy, content, endsBranch }: GatedSituation,
): Promise<string> {
  const text = JSON.stringify([accountId, deploymentId, branchName, step, to, isDeploy, content, endsBranch]);
  return (await sha1(new TextEncoder().encode(text))).slice(0, 12);
}

/** Throws `ToolError` if a step would do something else than the one that was shown. */
export async function requireShownStep(
  target: BranchTarget,
  situation: GatedSituation,
  shown: string | undefined,
): Promise<void> {
  if (shown === undefined || shown === (await stepPlanId(target, situation))) return;
  throw new ToolError(
    'usage',
    `The plan “${shown}” is out of date: something has changed since, so nothing was done. Call it without “yes” again.`,
  );
}
