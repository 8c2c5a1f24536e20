import { adminView } from '#features/administration/vscode/lazy.ts';
import { agentToolsContribution } from '#features/agent-tools/vscode/contribution.ts';
import { authenticationContribution } from '#features/accounts/vscode/authentication.ts';
import { chatContribution } from '#features/chat/vscode/lazy.ts';
import { commandsContribution } from './register-all-commands.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { leftoversContribution } from '#features/accounts/vscode/erase-leftovers.ts';
import { explorerView } from '#features/api-explorer/vscode/lazy.ts';
import { remoteChangesContribution } from '#features/folders/vscode/remote-changes.ts';
import type { FollowLinkDeps, SaveWatcherDeps } from '#features/folders/vscode/deps.ts';
import { modelComparison } from './model-comparison.ts';
import { renderingBy } from './template-rendering.ts';
import { languageContribution } from '#features/language/vscode/lazy.ts';
import { environmentOfModel } from '#features/language/vscode/model-environment.ts';
import { testsContribution } from '#features/data/vscode/lazy-tests.ts';
import { activeFolderContribution } from '#features/folders/vscode/active-folder.ts';
import { linkedFoldersContribution } from '#features/folders/vscode/linked-folders.ts';
import { mcpServersContribution } from '#features/folders/vscode/mcp-servers.ts';
import { uriHandlerContribution } from '#features/folders/vscode/uri-handler.ts';
import { platformWatch } from '#features/folders/vscode/platform-watch.ts';
import { problemsContribution } from '#features/builds/vscode/problems.ts';
import type { Services } from './composed.ts';
import { folderWatcher } from '#features/folders/vscode/folder-watcher.ts';
import { gitPauseContribution } from '#features/folders/vscode/git-repositories.ts';
import { mergeEnds } from '#features/history/vscode/merge-ends.ts';
import { planPage } from '#features/folders/vscode/plan-page.ts';
import { focusWatcher, saveWatcher, transferWatcher } from '#features/folders/vscode/save-watcher.ts';
import { stoppedStepsContribution } from '#features/history/vscode/stopped-contribution.ts';
import { branchesView } from '#features/branches/vscode/branches-view.ts';
import type { PushMode } from '#features/changes/change-nodes.ts';
import { pushModeOf } from '#features/changes/push-mode.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { changesView } from '#features/changes/vscode/changes-view.ts';
import { deploymentsView } from '#features/deployments/vscode/deployments-view.ts';
import { workspaceView } from '#features/workspace/vscode/workspace-view.ts';
import { windowsContribution } from '#features/platform/vscode/windows.ts';

/** Returns every feature's registration, in order. */
export function contributions(services: Services): readonly Contribution[] {
  const { platform, late } = services;
  const { context, boundary, logger } = services.window;
  const { accounts, session } = platform;
  return [
    commandsContribution(services),
    {
      id: 'contextKeys',
      register: async (store) => (await import('#compose/window-status.ts')).setContextKeys(services, store),
    },
    {
      id: 'statusBar',
      register: async (store) => (await import('#compose/window-status.ts')).showStatusBar(services, store),
    },
    authenticationContribution({ accounts, signIn: async () => questions(services).signIn(undefined) }),
    ...views(services),
    ...ofFolders(services),
    ...ofModels(services),
    chatContribution(late.chat),
    uriHandlerContribution({
      accounts,
      boundary,
      data: platform.data,
      remote: services.branches.remote,
      session,
      signIn: questions(services).signIn,
      openThread: async (chatId) => (await late.chat()).openLinked(chatId),
    }),
    linkedFoldersContribution({ logger, session }),
    mcpServersContribution({
      accounts,
      context,
      data: platform.data,
      isTrusted: services.window.isTrusted,
      session,
    }),
    agentToolsContribution(context, async () => (await import('#compose/view-commands.ts')).agentTools(services)),
    activeFolderContribution({ logger, session }),
    leftoversContribution({
      accounts,
      context,
      closeEditors: async (ids) => (await import('#compose/view-commands.ts')).closeEditorsOf(services, ids),
    }),
    {
      id: 'deadPages',
      register: async (store) => (await import('#shell/vscode/dead-pages.ts')).endDeadPages(context, store),
    },
  ];
}

/** Contributions that follow the files of linked folders and their branches. */
function ofFolders(services: Services): readonly Contribution[] {
  const { boundary, context, logger, questions: queue, windows } = services.window;
  const { accounts, builds, data, session } = services.platform;
  const { consent, merges, saveChoices, syncs } = services.sync;
  const { branchTrash, remote } = services.branches;
  const { attempts, resolvedPulls } = services.steps;
  const { choosePush } = questions(services);
  return [
    windowsContribution(context.globalState, { logger, session, windows }),
    saveWatcher({
      boundary,
      consent,
      logger,
      pushQuestion: { choosePush, merges, questions: queue },
      saveChoices,
      session,
      syncs,
    }),
    transferWatcher({ builds, remote, syncs }),
    focusWatcher({ accounts, data, saveChoices, session, syncs }),
    remoteChangesContribution({ boundary, branchTrash, remote }),
    stoppedStepsContribution({ attempts, logger, remote, resolvedPulls, session, syncs }),
    mergeEnds({ attempts, boundary, merges, session, syncs }, async () => import('#compose/view-commands.ts')),
    folderWatcher({ syncs }),
    gitPauseContribution({ logger, syncs }),
    platformWatch({ data, logger, session, syncs }),
  ];
}

/** Contributions that report about data models. */
function ofModels({ window, platform, branches, late }: Services): readonly Contribution[] {
  const { isTrusted, logger } = window;
  const { builds, data, session } = platform;
  const { remote } = branches;
  return [
    problemsContribution({
      builds,
      data,
      logger,
      session,
      locateErrors: async (errors) => (await late.language()).locateErrors(errors),
    }),
    languageContribution({ language: late.language, logger }),
    testsContribution({
      builds,
      isTrusted,
      logger,
      queries: late.queries,
      branchOf: (uri) => environmentOfModel(uri.toString(), { remote, session }) ?? session.active.value,
    }),
  ];
}

/** The trees of the sidebar, and the page of a plan. */
function views(services: Services): readonly Contribution[] {
  const { capabilities, late } = services;
  const { boundary, isTrusted, logger, windows } = services.window;
  const { accounts, builds, data, forks, session } = services.platform;
  const { plan, syncs } = services.sync;
  const { documents, remote } = services.branches;
  const { attempts, deltas, resolvedPulls } = services.steps;
  const { branchFilter, branchPages, favourites, reportOrder } = services.lists;
  const pushMode = (folder: SyncSession): PushMode => pushModeOf(services.sync, folder);
  return [
    deploymentsView({ accounts, builds, data, session }),
    branchesView({
      list: { builds, data, forks, logger, session },
      counts: { attempts, session, syncs },
      accounts,
      branchFilter,
      branchPages,
      windows,
    }),
    changesView(
      {
        inputs: { attempts, data, deltas, isTrusted, pushModeOf: pushMode, resolvedPulls, session, syncs },
        sourceControl: { attempts, data, deltas, documents, logger, remote, syncs },
      },
      plan,
    ),
    planPage({
      boundary,
      builds,
      documents,
      model: modelComparison(renderingBy(late.language)),
      plan,
      remote,
      reviews: late.reviews,
      reviewTexts: async (...change) => (await late.deploymentWork()).reviewTexts(...change),
    }),
    workspaceView({
      boundary,
      data,
      favourites,
      offers: capabilities.offers,
      reportOrder,
      session,
      drop: async (...dropped) => (await late.deploymentWork()).drop(...dropped),
    }),
    adminView({ admin: late.admin, accounts }),
    explorerView(late.explorer),
  ];
}

/** Questions to the user, which are in the bundle of the commands. */
function questions({
  window,
  platform,
  sync,
}: Services): Pick<SaveWatcherDeps['pushQuestion'], 'choosePush'> & Pick<FollowLinkDeps, 'signIn'> {
  const { accounts, connectWith, data } = platform;
  const { consent, saveChoices } = sync;
  return {
    choosePush: async (session) =>
      (await import('#compose/view-commands.ts')).choosePush({ consent, data, saveChoices }, session),
    signIn: async (suggestion) =>
      (await import('#compose/view-commands.ts')).signIn(
        { accounts, connectWith, data, isTrusted: window.isTrusted },
        suggestion,
      ),
  };
}
