import { asError } from '#base/async.ts';
import type { BuildFinished } from '#features/platform/index.ts';
import type { BuildResults } from './build-results.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { BuildResultDeps } from './deps.ts';

/** Shows errors of the active branch's build in the Problems panel, and a notification for a new failure only. */
export function problemsContribution(services: BuildResultDeps): Contribution {
  const { builds, session, logger } = services;
  return {
    id: 'problems',
    register: (store) => {
      let opened: Promise<BuildResults> | undefined;
      const open = async (): Promise<BuildResults> => {
        const { openBuildResults } = await import('#features/builds/vscode/build-results.ts');
        return store.add(openBuildResults(services));
      };
      const show = async (finished: BuildFinished): Promise<void> => (await (opened ??= open())).show(finished);
      store.add(
        builds.onDidFinish((finished) => {
          show(finished).catch((error: unknown) =>
            logger.error('Build errors could not be shown', { stack: asError(error).stack }),
          );
        }),
      );
      // The shown problems belong to the branch that was active before, or to an account that is signed out.
      const forget = (): void => void opened?.then((results) => results.forget());
      store.add(session.active.onDidChange(forget));
      store.add(
        session.onDidChangeDevMode(() => {
          forget();
          const target = session.activeTarget();
          if (target) void builds.check(target);
        }),
      );
    },
  };
}
