import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { derived } from '#base/derived.ts';
import { DisposableStore } from '#base/disposable.ts';
import { requestText } from '#features/api-explorer/request-document.ts';
import { Catalogues } from '#features/api-explorer/catalogues.ts';
import { type ExplorerNode, explorerTree } from '#features/api-explorer/explorer-tree.ts';
import { RunHistory } from '#features/api-explorer/history.ts';
import { requestTemplate } from '#features/api-explorer/request-template.ts';
import { shortId } from '#shell/short-id.ts';
import type { ExplorerCommands } from '#shell/commands/api-explorer-commands.ts';
import { apiScheme } from '#shell/view-ids.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { observe } from '#base/store.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import type { ExplorerDeps } from './deps.ts';
import { openDescription } from './description.ts';
import { RequestLenses } from './lenses.ts';
import { currentAccount, pickHistory, pickOperation, signedInAccount } from './pick.ts';
import { Requests } from './requests.ts';
import { knownValues } from './known-values.ts';
import { apiDocument, schemaUri } from './uris.ts';
import type { OpenedExplorer } from './opened-explorer.ts';

/** Opens the API Explorer. Its code is a separate bundle that is loaded when it is first needed. */
export function openExplorer(services: ExplorerDeps): OpenedExplorer {
  const store = new DisposableStore();
  const { accounts, data, session } = services;
  const catalogues = store.add(new Catalogues(data));
  const history = store.add(new RunHistory(stateStore(services.context.globalState)));
  store.add(
    observe(history.entries, (entries) =>
      services.reportFacts({ requestsOf: entries.map(({ accountId }) => accountId) }),
    ),
  );
  const requests = store.add(new Requests(services, catalogues, history));
  const lenses = store.add(new RequestLenses(requests, [requests.onDidAnswer, catalogues.onDidChange]));
  store.add(vscode.languages.registerCodeLensProvider({ scheme: apiScheme }, lenses));
  const refresh = (): void => {
    const account = currentAccount(services);
    // If the server cannot be reached, the explorer still shows the documented operations.
    if (account) catalogues.get(account.id).catch(() => undefined);
  };
  refresh();
  store.add(session.active.onDidChange(refresh));
  store.add(accounts.all.onDidChange(refresh));
  store.add(accounts.all.onDidChange((all) => history.keepOnly(new Set(all.map(({ id }) => id)))));
  const tree = store.add(
    derived<readonly ExplorerNode[]>(() => explorerTree(catalogues.now(currentAccount(services)?.id))),
  );
  return {
    tree,
    commands: handlers(services, catalogues, history, requests),
    restore: async (uri) => restored(services, catalogues, history, uri),
    dispose: () => store.dispose(),
  };
}

function handlers(
  services: ExplorerDeps,
  catalogues: Catalogues,
  history: RunHistory,
  requests: Requests,
): Handlers<ExplorerCommands> {
  return {
    'modelbench.apiExplorer.openRequest': async (target) => {
      const account = await signedInAccount(services);
      if (!account) return;
      const picked = target?.operation ?? (await pickOperation(catalogues, account.id));
      if (picked !== undefined) await requests.open(account.id, picked);
    },
    'modelbench.apiExplorer.send': async (target) => requests.send(documentUri(target)),
    'modelbench.apiExplorer.copyAsCurl': async (target) => requests.copyAsCurl(documentUri(target)),
    'modelbench.apiExplorer.showHistory': async () => {
      const entry = await pickHistory(history.entries.value, services.accounts.all.value);
      if (entry) await requests.open(entry.accountId, entry.name, entry.request);
    },
    'modelbench.apiExplorer.openDescription': async () => {
      const account = await signedInAccount(services);
      if (account) await openDescription(services, account);
    },
    'modelbench.apiExplorer.reload': async () => {
      const account = await signedInAccount(services);
      if (account) await catalogues.reload(account.id);
    },
  };
}

async function restored(
  services: ExplorerDeps,
  catalogues: Catalogues,
  history: RunHistory,
  uri: vscode.Uri,
): Promise<string | undefined> {
  const document = apiDocument(uri);
  if (document === undefined) return undefined;
  if (document.kind === 'answer') return goneAnswer;
  const account = services.accounts.all.value.find(({ id }) => shortId(id) === document.account);
  // Documented operations need no account; operations that only its server describes do.
  const catalogue = account
    ? await catalogues.get(account.id).catch(() => catalogues.now(account.id))
    : catalogues.now(undefined);
  const entry = catalogue.find(document.name);
  if (!entry) return undefined;
  if (document.kind === 'schema') return JSON.stringify(entry.schema());
  const known = account ? await knownValues(services, account.id, entry) : {};
  const sent = history.entries.value.find(({ accountId, name }) => accountId === account?.id && name === entry.name);
  const parts = { ...requestTemplate(entry.schema(), known), ...sent?.request };
  return requestText(parts, schemaUri(document.account, document.name).toString());
}

const goneAnswer = `${JSON.stringify({ note: 'Answers are not kept when the window reloads. Send the request again.' })}\n`;
