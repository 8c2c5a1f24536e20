import { adminCommands } from '../admin-parts.ts';
import { chatCommands } from '../chat-parts.ts';
import { consoleCommands } from '../console-parts.ts';
import type { Contribution } from '../contribution.ts';
import { explorerCommands } from '../explorer-parts.ts';
import { languageCommands } from '../language-parts.ts';
import type { Services } from '../services.ts';
import { branchCommands } from './branch-commands.ts';
import { buildCommands } from './build-commands.ts';
import { compareCommands } from './compare-commands.ts';
import { connectCommands } from './connect-commands.ts';
import { deploymentCommands } from './deployment-commands.ts';
import { gitCommands } from './git-commands.ts';
import { registerCommands } from './register.ts';
import { syncCommands } from './sync-commands.ts';
import { workspaceCommands } from './workspace-commands.ts';

/** All commands of the extension's own views. */
export function commandsContribution(services: Services): Contribution {
  return {
    id: 'commands',
    register: (store) => {
      registerCommands(
        {
          ...connectCommands(services),
          ...deploymentCommands(services),
          ...workspaceCommands(services),
          ...branchCommands(services),
          ...syncCommands(services),
          ...gitCommands(services),
          ...compareCommands(services),
          ...buildCommands(services),
          ...consoleCommands(services.console),
          ...chatCommands(services.chat),
          ...explorerCommands(services.explorer),
          ...adminCommands(services.admin),
          ...languageCommands(services.language),
        },
        services.boundary,
        (item) => store.add(item),
      );
    },
  };
}
