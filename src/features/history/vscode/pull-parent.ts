import { type GitResult, pullBranch, pullThrough } from '#features/history/git-workflow.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { resolvedFiles } from '#features/history/stopped-steps.ts';
import { bringChanges } from '#features/folders/vscode/index.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { atGateOfShared } from './at-gate.ts';
import { branchesOf, type Given, parentOf, readyBranch, runGit } from './git-step.ts';
import type { PullDeps } from './deps.ts';

/**
 * Pulls the parent's changes, with the files that the user has resolved since a step stopped. Returns whether it succeeded.
 */
export async function pull(deps: PullDeps, given: Given): Promise<boolean> {
  const target = await readyBranch(deps, given);
  const parent = await parentOf(deps, target);
  const resolved = await resolvedFiles(deps, target);
  const from = resolved?.parent ?? parent;
  const words = from ?? 'the parent branch';
  const step = {
    step: 'pull',
    from,
    label: `Pulling ${words} into ${target.branchName}`,
    done: `Pulled ${words}`,
  } as const;
  const run = async (bring?: () => GitResult): Promise<boolean> =>
    runGit(deps, target, step, () =>
      resolved ? deps.resolvedPulls.pull(resolved.place, resolved, bring) : pullBranch(deps.data, target),
    );
  const through = resolved && parent !== undefined && parent !== from ? parent : undefined;
  const pulled = through === undefined ? await run() : await pullUp(deps, target, { from: words, through }, run);
  // What came in on the platform is what the user asked for: it comes into the folder as well.
  if (pulled) for (const session of deps.syncs.ofBranch(target)) await bringChanges(deps, session);
  return pulled;
}

/** Pulls what comes from further up through the parent, which the dev branch is committed to first. */
async function pullUp(
  deps: PullDeps,
  target: BranchTarget,
  { from, through }: { readonly from: string; readonly through: string },
  run: (bring: () => GitResult) => Promise<boolean>,
): Promise<boolean> {
  if (!(await mayTakeThrough(deps, target, through, from))) return false;
  const commit = { parent: through, message: `Merge ${from} into ${through}` };
  const outcome = await atGateOfShared(deps, { step: 'commit', target }, async (pass) =>
    run(() => pullThrough(deps.data, target, commit, pass)),
  );
  return outcome.kind === 'sent' && outcome.value;
}

/** What comes from further up goes through a branch of others, which the user confirms. The gate protects it. */
async function mayTakeThrough(
  deps: Pick<PullDeps, 'data'>,
  target: BranchTarget,
  through: string,
  from: string,
): Promise<boolean> {
  const branches = await branchesOf(deps, target);
  if (branches.find(({ name }) => name === through)?.parentBranch !== from) {
    throw new Hint(`Merge “${from}” into “${through}” first, then pull.`);
  }
  return confirm({
    title: `Merge “${from}” into “${through}”?`,
    detail: `“${target.branchName}” gets the changes of “${from}” through “${through}”, which gets them as well.`,
    button: 'Merge',
  });
}
