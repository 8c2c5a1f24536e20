import { Hint } from '#shell/user-error.ts';
import type { BuildCommands } from '#shell/commands/commands.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { BuildDeps } from './deps.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Returns the handlers that refresh a build's state and show its errors. */
export function buildCommands(services: BuildDeps): Handlers<BuildCommands> {
  return {
    'modelbench.build.refresh': async (given) => {
      const target = targetOf(services, given);
      await services.builds.follow(target);
    },
    'modelbench.build.showError': async (given) => {
      const target = targetOf(services, given);
      const state = services.builds.stateOf(target);
      if (state?.phase !== 'failed') throw new Hint(`The build of “${target.branchName}” has not failed.`);
      services.logger.error(
        `Build of ${target.branchName} failed:\n${state.errorText ?? 'The platform gave no reason.'}`,
      );
      await executeBuiltIn('workbench.actions.view.problems');
    },
  };
}

function targetOf({ session }: BuildDeps, given: BranchTarget | undefined): BranchTarget {
  const target = given ?? session.activeTarget();
  if (target) return target;
  throw new Hint('Choose a branch in the Branches view, or start dev mode.', {
    title: 'Start Dev Mode',
    command: 'modelbench.devMode.start',
  });
}
