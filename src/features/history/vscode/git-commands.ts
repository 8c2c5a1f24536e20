import { CancelledError } from '#base/async.ts';
import { linkedDeployments } from '#features/platform/index.ts';
import { pickLinked } from '#features/platform/vscode/index.ts';
import { commitInputOf } from '#features/history/commit-input.ts';
import { commitStep } from '#features/history/commit.ts';
import { continueStep, nothingUnfinished } from '#features/history/continue-step.ts';
import type { GitAttempt } from '#features/history/git-attempt.ts';
import type { GatedStepPorts, RunStep } from '#features/history/gated-step.ts';
import { mergeStep, mergeToDefaultStep } from '#features/history/merge.ts';
import { type PullPorts, pullParent } from '#features/history/pull-parent.ts';
import { type Given, readyBranch } from '#features/history/ready-branch.ts';
import type { GitCommands } from '#shell/commands/commands.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { GitCommandDeps } from './deps.ts';
import { abortStep } from './git-conflicts.ts';
import { gateHost, runGit } from './git-step.ts';
import { stepDialogs } from './step-dialogs.ts';

/** Returns the handlers for commit, pull, merge and merge to default. */
export function gitCommands(deps: GitCommandDeps): Handlers<GitCommands> {
  const { steps } = deps;
  const { gated, pulls } = portsOf(deps);
  const ready = async (given: Given) => readyBranch(steps, given ?? (await branchOfSeveral(steps)));
  return {
    'modelbench.commit': async (given) => {
      await commitStep(gated, await ready(given), { input: commitInputOf(steps, given) });
    },
    'modelbench.pull': async (given) => {
      await pullParent(pulls, await ready(given));
    },
    'modelbench.merge': async (given) => mergeStep(gated, await ready(given)),
    'modelbench.mergeToDefault': async (given) => mergeToDefaultStep(gated, await ready(given)),
    'modelbench.git.continue': async (given) => goOn({ gated, pulls }, await ready(given), ready),
    'modelbench.git.abort': async (given) => {
      const { attempts, syncs } = steps;
      await abortStep({ attempts, syncs, merges: deps.merges }, await ready(given));
    },
  };
}

/** Asks for the dev branch of a step if folders of this window have several; throws `CancelledError` if the user cancels. */
async function branchOfSeveral({ data, session }: GitCommandDeps['steps']): Promise<Given> {
  const on = linkedDeployments(session).filter(({ target }) => session.activeBranch(target) !== undefined);
  if (on.length < 2) return undefined;
  const target = await pickLinked({ data, session }, on);
  const branchName = target && session.activeBranch(target);
  if (!target || branchName === undefined) throw new CancelledError();
  return { ...target, branchName };
}

function portsOf({ steps, drafts, confirmStep, resolved, resolvedPulls, bringChanges }: GitCommandDeps): Ports {
  const { data, builds, attempts, syncs } = steps;
  const gate = gateHost({ data, confirmStep });
  const run: RunStep = async (target, spec, work) => runGit(steps, target, spec, work);
  return {
    gated: { data, builds, attempts, syncs, drafts, gate, dialogs: stepDialogs, run },
    pulls: { data, gate, syncs, resolved, resolvedPulls, run, bringChanges },
  };
}

interface Ports {
  readonly gated: GatedStepPorts;
  readonly pulls: PullPorts;
}

/** Continues a step that stopped: pulls the parent, then repeats the step. */
async function goOn(
  { gated, pulls }: Ports,
  target: BranchTarget,
  ready: (given: Given) => Promise<BranchTarget>,
): Promise<void> {
  const attempt = gated.attempts.of(target);
  if (!attempt) throw nothingUnfinished(target);
  // An answer to one step also applies to the steps that follow it.
  const leftOut = (): GitAttempt['leftOut'] => gated.attempts.of(target)?.leftOut;
  await continueStep(attempt, target, {
    pull: async () => pullParent(pulls, await ready(target)),
    commit: async (message) => commitStep(gated, await ready(target), { ...message, leftOut: leftOut() }),
    merge: async (options) =>
      mergeStep(gated, await ready(target), { options, from: attempt.from, leftOut: leftOut() }),
    mergeToDefault: async (asked) => mergeToDefaultStep(gated, await ready(target), { ...asked, leftOut: leftOut() }),
  });
}
