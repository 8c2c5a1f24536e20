import { adminView } from '#features/administration/vscode/lazy.ts';
import { agentToolsContribution } from '#features/agent-tools/vscode/contribution.ts';
import { authenticationContribution } from '#features/accounts/vscode/authentication.ts';
import { chatContribution } from '#features/chat/vscode/lazy.ts';
import { commandsContribution } from './register-all-commands.ts';
import { contextKeysContribution } from './context-keys.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { leftoversContribution } from '#features/accounts/vscode/erase-leftovers.ts';
import { explorerView } from '#features/api-explorer/vscode/lazy.ts';
import { remoteChangesContribution } from '#features/folders/vscode/remote-changes.ts';
import type { FollowLinkDeps, SaveQuestionDeps } from '#features/folders/vscode/deps.ts';
import { modelComparison } from './model-comparison.ts';
import { languageContribution } from '#features/language/vscode/lazy.ts';
import { placeOf } from '#features/language/vscode/model-place.ts';
import { testsContribution } from '#features/data/vscode/lazy-tests.ts';
import { activeFolderContribution } from '#features/folders/vscode/active-folder.ts';
import { linkedFoldersContribution } from '#features/folders/vscode/linked-folders.ts';
import { mcpServersContribution } from '#features/folders/vscode/mcp-servers.ts';
import { uriHandlerContribution } from '#features/folders/vscode/uri-handler.ts';
import { platformWatch } from '#features/folders/vscode/platform-watch.ts';
import { problemsContribution } from '#features/builds/vscode/problems.ts';
import type { Services } from './composed.ts';
import { statusBarContribution } from './status-bar.ts';
import { folderWatcher } from '#features/folders/vscode/folder-watcher.ts';
import { gitPauseContribution } from '#features/folders/vscode/git-repositories.ts';
import { mergeEnds } from '#features/history/vscode/merge-ends.ts';
import { planPage } from '#features/folders/vscode/plan-page.ts';
import { saveWatcher } from '#features/folders/vscode/save-watcher.ts';
import { stoppedStepsContribution } from '#features/history/vscode/stopped-contribution.ts';
import { branchesView } from '#features/branches/vscode/branches-view.ts';
import { pushModeOf } from '#features/changes/push-mode.ts';
import { changesView } from '#features/changes/vscode/changes-view.ts';
import { deploymentsView } from '#features/deployments/vscode/deployments-view.ts';
import { workspaceView } from '#features/workspace/vscode/workspace-view.ts';
import { windowsContribution } from '#features/platform/vscode/windows.ts';

/** Every feature's registration, in the order in which they are registered. */
export function contributions(services: Services): readonly Contribution[] {
  const { window, platform, sync, branches, steps, late } = services;
  return [
    commandsContribution(services),
    contextKeysContribution(services),
    authenticationContribution({
      accounts: platform.accounts,
      signIn: async () => questions(services).signIn(undefined),
    }),
    ...views(services),
    statusBarContribution(platform, sync, steps),
    windowsContribution({ ...window, ...platform }),
    saveWatcher({ ...window, ...platform, ...sync, remote: branches.remote, ...questions(services) }),
    remoteChangesContribution({ ...branches, boundary: window.boundary }),
    stoppedStepsContribution({ ...window, ...platform, ...sync, ...branches, ...steps }),
    mergeEnds({ ...window, ...platform, ...sync, ...steps }),
    folderWatcher({ ...window, ...platform, ...sync }),
    gitPauseContribution({ logger: window.logger, syncs: sync.syncs }),
    problemsContribution({
      ...window,
      ...platform,
      placeErrors: async (errors) => (await late.language()).placeErrors(errors),
    }),
    platformWatch({ ...window, ...platform, syncs: sync.syncs }),
    languageContribution({ ...window, ...platform, ...sync, language: late.language }),
    testsContribution({
      ...window,
      ...platform,
      queries: late.queries,
      branchOf: (uri) => placeOf(uri.toString(), { ...platform, ...branches }) ?? platform.session.active.value,
    }),
    chatContribution(late.chat),
    uriHandlerContribution({
      ...window,
      ...platform,
      remote: branches.remote,
      ...questions(services),
      openThread: async (chatId) => (await late.chat()).openLinked(chatId),
    }),
    linkedFoldersContribution({ ...window, ...platform }),
    mcpServersContribution({ ...window, ...platform }),
    agentToolsContribution(window.context, async () =>
      (await import('#compose/view-commands.ts')).agentTools(services),
    ),
    activeFolderContribution({ ...window, ...platform }),
    leftoversContribution({ ...window, ...platform }),
  ];
}

/** The trees of the side bar, and the page of a plan. */
function views({
  window,
  platform,
  capabilities,
  sync,
  branches,
  steps,
  lists,
  late,
}: Services): readonly Contribution[] {
  return [
    deploymentsView(platform),
    branchesView({ ...platform, ...sync, ...steps, ...lists, ...window }),
    changesView(
      { ...window, ...platform, ...sync, ...branches, ...steps, pushModeOf: (session) => pushModeOf(sync, session) },
      sync.plan,
    ),
    planPage({
      ...window,
      ...platform,
      ...sync,
      ...branches,
      reviews: late.reviews,
      model: modelComparison,
      reviewTexts: async (...change) => (await late.deploymentWork()).reviewTexts(...change),
    }),
    workspaceView({
      ...window,
      ...platform,
      ...capabilities,
      ...lists,
      drop: async (...dropped) => (await late.deploymentWork()).drop(...dropped),
    }),
    adminView({ admin: late.admin, accounts: platform.accounts }),
    explorerView(late.explorer),
  ];
}

/** Questions to the user, which come with the commands. */
function questions({
  window,
  platform,
  sync,
}: Services): Pick<SaveQuestionDeps, 'choosePush'> & Pick<FollowLinkDeps, 'signIn'> {
  return {
    choosePush: async (session) =>
      (await import('#compose/view-commands.ts')).choosePush({ ...platform, ...sync }, session),
    signIn: async (suggestion) =>
      (await import('#compose/view-commands.ts')).signIn({ ...window, ...platform }, suggestion),
  };
}
