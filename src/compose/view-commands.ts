import type { GitCommands, SyncCommands, ViewCommands } from '#shell/commands/commands.ts';
import type { LateServices, Services } from './composed.ts';
import { agentCommandLine } from '#features/agent-tools/vscode/agent-command-line.ts';
import { WindowTools } from '#features/agent-tools/vscode/window-tools.ts';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { buildCommands } from '#features/builds/vscode/build-commands.ts';
import { compareCommands } from '#features/branches/vscode/compare-commands.ts';
import type { BranchDeletionDeps } from '#features/branches/vscode/deps.ts';
import type { FilePages } from '#features/folders/file-review.ts';
import { UntickedFiles } from '#features/folders/unticked-files.ts';
import type { TransferDeps } from '#features/folders/vscode/deps.ts';
import { bringChanges } from '#features/folders/vscode/transfer.ts';
import { mayUpload } from '#features/folders/vscode/upload-consent.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import type { ResolvedFilesDeps } from '#features/history/step-ports.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/deps.ts';
import { loadBranches } from '#features/branches/watch-branches.ts';
import { connectCommands } from './connect-commands.ts';
import { deploymentCommands } from '#features/deployments/vscode/deployment-commands.ts';
import { confirmStep } from '#features/history/vscode/confirm-step.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import type { ImpactReviews } from '#features/history/vscode/deps.ts';
import { modelComparison } from './model-comparison.ts';
import { renderingBy } from './template-rendering.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { syncCommands } from '#features/changes/vscode/sync-commands.ts';
import { workspaceCommands } from '#features/workspace/vscode/workspace-commands.ts';

export { closeEditorsOf } from './account-editors.ts';
export { choosePush } from '#features/changes/vscode/push-question.ts';
export { afterMerge, endInterrupted } from '#features/history/vscode/end-merge.ts';
export { askAboutMoved } from '#features/history/vscode/put-back.ts';
export { signIn } from '#features/accounts/vscode/sign-in.ts';

/** Returns the handlers of the commands of the extension's own views. */
export function commandsOfViews(services: Services): Handlers<ViewCommands> {
  const { capabilities, lists, late } = services;
  const { context, isTrusted, logger, operations, windows } = services.window;
  const { accounts, builds, connectWith, data, forks, session } = services.platform;
  const { syncs } = services.sync;
  const { branchFiles, remote } = services.branches;
  const { offers } = capabilities;
  const picking: DeploymentPickDeps = { accounts, connectWith, data, isTrusted, session };
  const deletion: BranchDeletionDeps = {
    ...picking,
    offers,
    operations,
    lost: { branchFiles, remote, reviews: late.reviews, syncs },
  };
  return {
    ...connectCommands(services),
    ...deploymentCommands({
      picking,
      refreshing: {
        accounts,
        data,
        offers,
        session,
        syncs,
        loadBranches: async (target) => loadBranches({ builds, data, session }, target),
      },
      branchPages: lists.branchPages,
    }),
    ...workspaceCommands({
      capabilitiesOf: capabilities.capabilitiesOf,
      data,
      favourites: lists.favourites,
      offers,
      reportOrder: lists.reportOrder,
      session,
      findItem: async (question) => (await late.deploymentWork()).find(question),
    }),
    ...branchCommands({
      devMode: { ...picking, builds, operations, syncs },
      deletion,
      addresses: { accounts, context },
      branchFilter: lists.branchFilter,
    }),
    ...commandsOfFolders(services),
    ...compareCommands({
      comparison: { ...picking, branchFiles, remote },
      pruning: { deletion, forks, windows },
    }),
    ...buildCommands({ builds, logger, session }),
  };
}

/** Returns the handlers that sync linked folders and run Git steps of their branches. */
function commandsOfFolders({
  window,
  platform,
  sync,
  branches,
  steps,
  late,
}: Services): Handlers<SyncCommands & GitCommands> {
  const { boundary, isTrusted, operations } = window;
  const { accounts, builds, data, session } = platform;
  const { consent, merges, openSync, pauses, plan, saveChoices, syncs } = sync;
  const { branchFiles, branchTrash, documents, remote } = branches;
  const { attempts, deltas, resolvedPulls } = steps;
  const filePages: FilePages = {
    unticked: new UntickedFiles(stateStore(window.context.workspaceState)),
    open: async (source) => late.reviews.open(source),
    model: modelComparison(renderingBy(late.language)),
  };
  const transfers: TransferDeps = { boundary, consent, data, documents, operations, plan };
  const drafts = new MessageDrafts(stateStore(window.context.workspaceState));
  const resolved: ResolvedFilesDeps = { attempts, branchFiles, remote, syncs };
  return {
    ...syncCommands({
      folders: { accounts, isTrusted, session, syncs },
      transfers,
      pushMode: { pauses, saveChoices },
      branches: { data, deltas, remote, syncs },
      trash: { boundary, branchFiles, branchTrash, documents, filePages, operations, remote },
      conflicts: {
        session,
        ofFolder: { boundary, consent, data, documents, merges, operations, syncs },
        ofStep: {
          attempts,
          branchFiles,
          documents,
          merges,
          operations,
          remote,
          syncs,
          mayUpload: async (target) => mayUpload({ consent, data }, target),
        },
      },
      deploys: { branchFiles, builds, drafts, openSync, session, transfers },
      putBack: { operations, remote, resolvedPulls, syncs },
    }),
    ...gitCommands({
      drafts,
      steps: { attempts, builds, data, documents, isTrusted, operations, session, syncs },
      merges,
      resolved,
      resolvedPulls,
      syncs,
      bringChanges: async (folder) => bringChanges(transfers, folder),
      confirmStep: stepPage({ branches, late, window }),
    }),
  };
}

/** Creates the tools for agents of this window. */
export function agentTools(services: Services): WindowTools {
  const { context, isTrusted } = services.window;
  const { accounts, data, session } = services.platform;
  const { consent, openSync, syncs } = services.sync;
  const { capabilitiesOf } = services.capabilities;
  return new WindowTools(
    {
      accounts,
      capabilitiesOf,
      consent,
      data,
      isTrusted,
      session,
      syncing: { openSync, syncs },
      confirmStep: stepPage(services),
    },
    async () => agentCommandLine(context),
  );
}

/** Creates the page on which the user confirms a step that reaches production. */
function stepPage({ window, branches, late }: Pick<Services, 'window' | 'branches' | 'late'>): ConfirmStep {
  const { logger } = window;
  const { branchFiles, remote } = branches;
  const { chat, reviews } = late;
  const { review } = reviewsOf(late);
  const answers = {
    count: async () => (await (await chat()).answers()).count(),
    compare: async (from: BranchTarget, to: BranchTarget) => (await (await chat()).answers()).compare(from, to),
  };
  return async (...step) => confirmStep({ answers, branchFiles, logger, remote, review, reviews }, ...step);
}

/** Loads reviews, which are in the bundle of the work on deployments. */
function reviewsOf({ deploymentWork }: LateServices): Pick<ImpactReviews, 'review'> {
  return {
    review: async (from, to) => (await deploymentWork()).review(from, to),
  };
}
