import type { ViewCommands } from '#protocol/commands.ts';
import { adminCommands } from '../admin-parts.ts';
import { chatCommands } from '../chat-parts.ts';
import { consoleCommands } from '../console-parts.ts';
import type { Contribution } from '../contribution.ts';
import { explorerCommands } from '../explorer-parts.ts';
import { languageCommands } from '../language-parts.ts';
import type { Services } from '../services.ts';
import { type CommandIds, type Handlers, handOver, registerCommands } from './register.ts';
import { trustedHandlers } from './trusted-handlers.ts';

/** All commands of the extension. */
export function commandsContribution(services: Services): Contribution {
  return {
    id: 'commands',
    register: (store) => {
      registerCommands(
        trustedHandlers(
          {
            ...viewCommands(services),
            ...consoleCommands(services.console),
            ...chatCommands(services.chat),
            ...explorerCommands(services.explorer),
            ...adminCommands(services.admin),
            ...languageCommands(services.language),
          },
          services,
        ),
        services.boundary,
        (item) => store.add(item),
      );
    },
  };
}

/** What a person does is no part of showing the views: it is a bundle of its own, loaded with the first command. */
function viewCommands(services: Services): Handlers<ViewCommands> {
  return handOver<ViewCommands>(viewCommandIds, async () => {
    const { commandsOfViews } = await import('#vscode/commands/view-commands.ts');
    return { commands: commandsOfViews(services) };
  });
}

const viewCommandIds: CommandIds<ViewCommands> = {
  'modelbench.signIn': true,
  'modelbench.signOut': true,
  'modelbench.switchAccount': true,
  'modelbench.importContexts': true,
  'modelbench.chooseFolderAccount': true,
  'modelbench.tryLocally': true,
  'modelbench.linkFolder': true,
  'modelbench.cloneDeployment': true,
  'modelbench.showLog': true,
  'modelbench.manageTrust': true,
  'modelbench.showMenu': true,
  'modelbench.deployments.refresh': true,
  'modelbench.workspace.refresh': true,
  'modelbench.retry': true,
  'modelbench.copy': true,
  'modelbench.selectDeployment': true,
  'modelbench.openInBrowser': true,
  'modelbench.workspace.loadMore': true,
  'modelbench.workspace.sort': true,
  'modelbench.workspace.addFavourite': true,
  'modelbench.workspace.removeFavourite': true,
  'modelbench.branches.refresh': true,
  'modelbench.branches.filter': true,
  'modelbench.branches.clearFilter': true,
  'modelbench.devMode.start': true,
  'modelbench.devMode.stop': true,
  'modelbench.devMode.switch': true,
  'modelbench.branch.create': true,
  'modelbench.branch.delete': true,
  'modelbench.branch.copyName': true,
  'modelbench.branch.copyLink': true,
  'modelbench.staging.enable': true,
  'modelbench.staging.disable': true,
  'modelbench.changes.refresh': true,
  'modelbench.push': true,
  'modelbench.pullFiles': true,
  'modelbench.sync.pause': true,
  'modelbench.sync.resume': true,
  'modelbench.sync.sendWaiting': true,
  'modelbench.sync.choosePush': true,
  'modelbench.sync.putBack': true,
  'modelbench.deploy': true,
  'modelbench.plan.apply': true,
  'modelbench.plan.cancel': true,
  'modelbench.plan.toggle': true,
  'modelbench.plan.dryRun': true,
  'modelbench.plan.dryRunJson': true,
  'modelbench.trash.restore': true,
  'modelbench.changes.discard': true,
  'modelbench.sync.explain': true,
  'modelbench.sync.history': true,
  'modelbench.sync.undoPush': true,
  'modelbench.sync.undoPull': true,
  'modelbench.sync.verify': true,
  'modelbench.openChange': true,
  'modelbench.openFile': true,
  'modelbench.conflict.merge': true,
  'modelbench.conflict.mine': true,
  'modelbench.conflict.theirs': true,
  'modelbench.conflict.resolved': true,
  'modelbench.commit': true,
  'modelbench.pull': true,
  'modelbench.merge': true,
  'modelbench.mergeToDefault': true,
  'modelbench.git.continue': true,
  'modelbench.git.abort': true,
  'modelbench.branch.openFile': true,
  'modelbench.branch.search': true,
  'modelbench.branch.addToWorkspace': true,
  'modelbench.branch.compare': true,
  'modelbench.compareWithBranch': true,
  'modelbench.branch.prune': true,
  'modelbench.build.refresh': true,
  'modelbench.build.showError': true,
};
