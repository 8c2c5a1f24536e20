import type { ViewCommands } from '#shell/commands/commands.ts';
import type { LateServices, Services } from './composed.ts';
import { agentCommandLine } from '#features/agent-tools/vscode/agent-command-line.ts';
import { WindowTools } from '#features/agent-tools/vscode/window-tools.ts';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { buildCommands } from '#features/builds/vscode/build-commands.ts';
import { compareCommands } from '#features/branches/vscode/compare-commands.ts';
import { loadBranches } from '#features/branches/watch-branches.ts';
import { connectCommands } from './connect-commands.ts';
import { deploymentCommands } from '#features/deployments/vscode/deployment-commands.ts';
import { confirmStep } from '#features/history/vscode/confirm-step.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import type { ConfirmStep, ImpactReviews } from '#features/history/vscode/deps.ts';
import { modelComparison } from './model-comparison.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { syncCommands } from '#features/changes/vscode/sync-commands.ts';
import { workspaceCommands } from '#features/workspace/vscode/workspace-commands.ts';

export { choosePush } from '#features/changes/vscode/push-question.ts';
export { signIn } from '#features/accounts/vscode/sign-in.ts';

/** What the extension's own views can do. */
export function commandsOfViews(services: Services): Handlers<ViewCommands> {
  const { window, platform, capabilities, sync, branches, steps, lists, late } = services;
  const impact = reviewsOf(late);
  const folders = { ...window, ...platform, ...sync, ...branches, ...steps };
  return {
    ...connectCommands(services),
    ...deploymentCommands({
      ...window,
      ...platform,
      ...capabilities,
      ...lists,
      syncs: sync.syncs,
      loadBranches: async (target) => loadBranches(platform, target),
    }),
    ...workspaceCommands({
      ...platform,
      ...capabilities,
      ...lists,
      findItem: async (question) => (await late.deploymentWork()).find(question),
    }),
    ...branchCommands({ ...window, ...platform, ...capabilities, ...lists, syncs: sync.syncs }),
    ...syncCommands({
      ...folders,
      ...impact,
      filePages: { open: async (source) => late.reviews.open(source), model: modelComparison },
    }),
    ...gitCommands({
      ...folders,
      confirmStep: stepPage(services),
    }),
    ...compareCommands({ ...window, ...platform, ...capabilities, ...branches }),
    ...buildCommands({ ...window, ...platform }),
  };
}

/** The tools for agents of this window. */
export function agentTools(services: Services): WindowTools {
  const { window, platform, sync } = services;
  return new WindowTools({ ...window, ...platform, ...sync, confirmStep: stepPage(services) }, async () =>
    agentCommandLine(window.context),
  );
}

/** The page on which a step that reaches production is confirmed. */
function stepPage({ window, branches, late }: Services): ConfirmStep {
  const answers = {
    count: async () => (await late.chat()).answers.count(),
    compare: async (from: BranchTarget, to: BranchTarget) => (await late.chat()).answers.compare(from, to),
  };
  const deps = { ...window, ...branches, ...reviewsOf(late), reviews: late.reviews, answers };
  return async (target, question, form) => confirmStep(deps, target, question, form);
}

/** Reviews come with the documents of deployments. */
function reviewsOf({ deploymentWork }: LateServices): ImpactReviews {
  return {
    review: async (from, to) => (await deploymentWork()).review(from, to),
    reviewTexts: async (to, from, after) => (await deploymentWork()).reviewTexts(to, from, after),
  };
}
