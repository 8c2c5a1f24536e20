import type { ViewCommands } from '#protocol/commands.ts';
import type { Services } from '../services.ts';
import { branchCommands } from './branch-commands.ts';
import { buildCommands } from './build-commands.ts';
import { compareCommands } from './compare-commands.ts';
import { connectCommands } from './connect-commands.ts';
import { deploymentCommands } from './deployment-commands.ts';
import { gitCommands } from './git-commands.ts';
import type { Handlers } from './register.ts';
import { syncCommands } from './sync-commands.ts';
import { workspaceCommands } from './workspace-commands.ts';

export { choosePush } from '../changes/push-question.ts';
export { signIn } from './sign-in.ts';

/** What the extension's own views can do. */
export function commandsOfViews(services: Services): Handlers<ViewCommands> {
  return {
    ...connectCommands(services),
    ...deploymentCommands(services),
    ...workspaceCommands(services),
    ...branchCommands(services),
    ...syncCommands(services),
    ...gitCommands(services),
    ...compareCommands(services),
    ...buildCommands(services),
  };
}
