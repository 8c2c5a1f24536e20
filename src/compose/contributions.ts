import { adminView } from '#features/administration/vscode/lazy.ts';
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
  return [
    commandsContribution(services),
    contextKeysContribution(services),
    authenticationContribution({
      accounts: services.accounts,
      signIn: async () => questions(services).signIn(undefined),
    }),
    deploymentsView(services),
    branchesView(services),
    changesView({ ...services, pushModeOf: (session) => pushModeOf(services, session) }, services.plan),
    planPage({
      ...services,
      model: modelComparison,
      reviewTexts: async (...change) => (await services.deploymentWork()).reviewTexts(...change),
    }),
    workspaceView({ ...services, drop: async (...dropped) => (await services.deploymentWork()).drop(...dropped) }),
    adminView(services),
    explorerView(services.explorer),
    statusBarContribution(services),
    windowsContribution(services),
    saveWatcher({ ...services, ...questions(services) }),
    remoteChangesContribution(services),
    stoppedStepsContribution(services),
    mergeEnds(services),
    folderWatcher(services),
    gitPauseContribution(services),
    problemsContribution({
      ...services,
      placeErrors: async (errors) => (await services.language()).placeErrors(errors),
    }),
    platformWatch(services),
    languageContribution(services),
    testsContribution({
      ...services,
      branchOf: (uri) => placeOf(uri.toString(), services) ?? services.session.active.value,
    }),
    chatContribution(services.chat),
    uriHandlerContribution({
      ...services,
      ...questions(services),
      openThread: async (chatId) => (await services.chat()).openLinked(chatId),
    }),
    linkedFoldersContribution(services),
    mcpServersContribution(services),
    activeFolderContribution(services),
    leftoversContribution(services),
  ];
}

/** Questions to the user, which come with the commands. */
function questions(services: Services): Pick<SaveQuestionDeps, 'choosePush'> & Pick<FollowLinkDeps, 'signIn'> {
  return {
    choosePush: async (session) => (await import('#compose/view-commands.ts')).choosePush(services, session),
    signIn: async (suggestion) => (await import('#compose/view-commands.ts')).signIn(services, suggestion),
  };
}
