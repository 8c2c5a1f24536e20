import { adminView } from './admin-parts.ts';
import { authenticationContribution } from './authentication.ts';
import { chatContribution } from './chat-parts.ts';
import { commandsContribution } from './commands/commands.ts';
import { contextKeysContribution } from './context-keys.ts';
import type { Contribution } from './contribution.ts';
import { leftoversContribution } from './erase-leftovers.ts';
import { explorerView } from './explorer-parts.ts';
import { remoteChangesContribution } from './fs/remote-changes.ts';
import { languageParts } from './language-parts.ts';
import { linkedFoldersContribution } from './link/linked-folders.ts';
import { uriHandlerContribution } from './link/uri-handler.ts';
import { platformWatch } from './platform-watch.ts';
import { problemsContribution } from './problems.ts';
import type { Services } from './services.ts';
import { sourceControlContribution } from './scm/source-control.ts';
import { statusBarContribution } from './status-bar.ts';
import { folderWatcher } from './changes/folder-watcher.ts';
import { gitPauseContribution } from './changes/git-repositories.ts';
import { mergeEnds } from './changes/merge-ends.ts';
import { saveWatcher } from './changes/save-watcher.ts';
import { stoppedStepsContribution } from './changes/stopped-contribution.ts';
import { branchesView } from './views/branches-view.ts';
import { changesView, planView } from './views/changes-view.ts';
import { decorationsContribution } from './views/decorations.ts';
import { deploymentsView } from './views/deployments-view.ts';
import { workspaceView } from './views/workspace-view.ts';
import { windowsContribution } from './windows.ts';

/** Every feature's registration, in the order in which they are registered. */
export function contributions(services: Services): readonly Contribution[] {
  return [
    commandsContribution(services),
    contextKeysContribution(services),
    authenticationContribution(services),
    deploymentsView(services),
    branchesView(services),
    changesView(services),
    planView(services),
    workspaceView(services),
    adminView(services),
    explorerView(services.explorer),
    decorationsContribution(services),
    statusBarContribution(services),
    windowsContribution(services),
    sourceControlContribution(services),
    saveWatcher(services),
    remoteChangesContribution(services),
    stoppedStepsContribution(services),
    mergeEnds(services),
    folderWatcher(services),
    gitPauseContribution(services),
    problemsContribution(services),
    platformWatch(services),
    languageParts(services),
    chatContribution(services.chat),
    uriHandlerContribution(services),
    linkedFoldersContribution(services),
    leftoversContribution(services),
  ];
}
