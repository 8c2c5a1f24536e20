import type { Contribution } from '#shell/vscode/contribution.ts';
import type { TestExplorerDeps } from './test-explorer.ts';

/** Loads what waits for the first query file of the window, and with it the Test Explorer. */
export function testsContribution(deps: TestExplorerDeps): Contribution {
  return {
    id: 'tests',
    register: async (store) => (await import('#features/data/vscode/first-query.ts')).openWithFirstQuery(deps, store),
  };
}
