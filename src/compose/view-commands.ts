import type { ViewCommands } from '#shell/commands/commands.ts';
import type { Services } from './composed.ts';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { buildCommands } from '#features/builds/vscode/build-commands.ts';
import { compareCommands } from '#features/branches/vscode/compare-commands.ts';
import { loadBranches } from '#features/branches/watch-branches.ts';
import { connectCommands } from './connect-commands.ts';
import { deploymentCommands } from '#features/deployments/vscode/deployment-commands.ts';
import { confirmStep } from '#features/history/vscode/confirm-step.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import type { ImpactReviews } from '#features/history/vscode/deps.ts';
import { modelComparison } from './model-comparison.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { syncCommands } from '#features/changes/vscode/sync-commands.ts';
import { workspaceCommands } from '#features/workspace/vscode/workspace-commands.ts';

export { choosePush } from '#features/changes/vscode/push-question.ts';
export { signIn } from '#features/accounts/vscode/sign-in.ts';

/** What the extension's own views can do. */
export function commandsOfViews(services: Services): Handlers<ViewCommands> {
  return {
    ...connectCommands(services),
    ...deploymentCommands({ ...services, loadBranches: async (target) => loadBranches(services, target) }),
    ...workspaceCommands({
      ...services,
      findItem: async (question) => (await services.deploymentWork()).find(question),
    }),
    ...branchCommands(services),
    ...syncCommands({
      ...services,
      ...reviewsOf(services),
      filePages: { open: async (source) => services.reviews.open(source), model: modelComparison },
    }),
    ...gitCommands({
      ...services,
      confirmStep: async (target, question, form) =>
        confirmStep({ ...services, ...reviewsOf(services) }, target, question, form),
    }),
    ...compareCommands(services),
    ...buildCommands(services),
  };
}

/** Reviews come with the documents of deployments. */
function reviewsOf(services: Services): ImpactReviews {
  return {
    review: async (from, to) => (await services.deploymentWork()).review(from, to),
    reviewTexts: async (to, from, after) => (await services.deploymentWork()).reviewTexts(to, from, after),
  };
}
