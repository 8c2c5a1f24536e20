import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import { systemClock } from '#base/clock.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { Queries, type QueryPorts, type QueryStorage } from '#features/data/queries.ts';
import { usedProxy } from '#shell/vscode/used-proxy.ts';
import { askCredential } from './ask-credential.ts';

/** The dependencies of the query service. */
export interface QueryDeps extends Omit<QueryPorts, 'ask' | 'clock' | 'storage'>, Pick<QueryStorage, 'secrets'> {
  readonly context: vscode.ExtensionContext;
  readonly accounts: Accounts;
}

/** Returns the query service of this window. The entry point of its own bundle. */
export function openQueries(deps: QueryDeps, store: DisposableStore): Queries {
  const { context, accounts, data, capabilitiesOf, session, secrets, logger } = deps;
  const ports: QueryPorts = {
    data,
    capabilitiesOf,
    session,
    storage: {
      secrets,
      user: stateStore(context.globalState),
      window: stateStore(context.workspaceState),
    },
    logger,
    clock: systemClock,
    ask: askCredential,
  };
  const queries = new Queries(ports, usedProxy);
  store.add(accounts.all.onDidChange((all) => queries.keepTokensOf(new Set(all.map(({ id }) => id)))));
  return queries;
}
