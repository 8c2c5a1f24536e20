import { type GitResult, pullBranch, pullThrough } from '#features/history/git-workflow.ts';
import { UserError } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { settledFiles } from './stopped-steps.ts';
import { bringChanges } from '#features/folders/vscode/transfer.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import { branchesOf, type Given, parentOf, readyBranch, runGit } from './git-step.ts';
import type { PullDeps } from './deps.ts';

/** Brings the parent's changes in, with what the user has settled since a step stopped. Answers whether it went through. */
export async function pull(deps: PullDeps, given: Given): Promise<boolean> {
  const target = await readyBranch(deps, given);
  const parent = await parentOf(deps, target);
  const settled = await settledFiles(deps, target);
  const from = settled?.parent ?? parent;
  const words = from ?? 'the parent branch';
  const step = {
    step: 'pull',
    from,
    label: `Pulling ${words} into ${target.branchName}`,
    done: `Pulled ${words}`,
  } as const;
  const bring = settled && (await bringing(deps, target, settled.parent, parent));
  if (settled && !bring) return false;
  const pulled = await runGit(deps, target, step, () =>
    settled ? deps.settledPulls.pull(settled.place, settled, bring) : pullBranch(deps.data, target),
  );
  // What came in on the platform is what the user asked for: it comes into the folder as well.
  if (pulled) for (const session of deps.syncs.ofBranch(target)) await bringChanges(deps, session);
  return pulled;
}

/** How the changes of a branch come in: from the parent, or through it; `undefined` where the user does not want that. */
async function bringing(
  deps: Pick<PullDeps, 'data'>,
  target: BranchTarget,
  from: string,
  parent: string | undefined,
): Promise<(() => GitResult) | undefined> {
  if (parent === undefined || parent === from) return () => pullBranch(deps.data, target);
  if (!(await mayTakeThrough(deps, target, parent, from))) return undefined;
  return () => pullThrough(deps.data, target, parent, `Merge ${from} into ${parent}`);
}

/** What comes from further up goes through a branch of others: that is said, and confirmed where it is protected. */
async function mayTakeThrough(
  deps: Pick<PullDeps, 'data'>,
  target: BranchTarget,
  through: string,
  from: string,
): Promise<boolean> {
  const branches = await branchesOf(deps, target);
  if (branches.find(({ name }) => name === through)?.parentBranch !== from) {
    throw new UserError(`Merge “${from}” into “${through}” first, then pull.`);
  }
  return confirm({
    title: `Merge “${from}” into “${through}”?`,
    detail: `“${target.branchName}” gets the changes of “${from}” through “${through}”, which gets them as well.`,
    button: 'Merge',
    typed: isProtected(deps, { ...target, branchName: through }) ? through : undefined,
  });
}
