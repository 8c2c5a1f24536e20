import { type ViewCommands, viewCommands } from '#shell/commands/commands.ts';
import { adminHandlers } from '#features/administration/vscode/lazy.ts';
import { chatHandlers } from '#features/chat/vscode/lazy.ts';
import { deploymentWorkHandlers } from './lazy-deployment-work.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { explorerHandlers } from '#features/api-explorer/vscode/lazy.ts';
import { languageHandlers } from '#features/language/vscode/lazy.ts';
import { lazyJoinGraph } from '#features/lineage/vscode/lazy-join-graph.ts';
import type { Services } from './composed.ts';
import { type Handlers, handOver, registerCommands } from '#shell/vscode/register.ts';
import { trustedHandlers } from './trusted-handlers.ts';

/** Registers all commands of the extension. */
export function commandsContribution(services: Services): Contribution {
  const { window, platform, late } = services;
  const { boundary, context } = window;
  return {
    id: 'commands',
    register: (store) => {
      registerCommands(
        trustedHandlers(
          {
            ...handlersOfViews(services),
            ...deploymentWorkHandlers(late.deploymentWork),
            ...chatHandlers(late.chat),
            ...explorerHandlers(late.explorer),
            ...adminHandlers(late.admin),
            ...languageHandlers(
              late.language,
              late.reviews,
              lazyJoinGraph({ accounts: platform.accounts.all, boundary, context }),
            ),
          },
          window,
        ),
        window.boundary,
        (item) => store.add(item),
      );
    },
  };
}

/** Forwards the commands to their bundle, which the first one loads: showing the views does not need it. */
function handlersOfViews(services: Services): Handlers<ViewCommands> {
  return handOver<ViewCommands>(viewCommands, async () => {
    const { commandsOfViews } = await import('#compose/view-commands.ts');
    return { commands: commandsOfViews(services) };
  });
}
