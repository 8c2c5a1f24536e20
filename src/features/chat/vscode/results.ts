import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { originOf } from '#base/origin.ts';
import { text, textOf } from '#base/user-text.ts';
import { hostOf } from '#features/accounts/accounts.ts';
import { dataTokenName } from '#features/data/data-token.ts';
import { createDataClient, type DataClient } from '#api/data.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import type { TurnBranch } from '#chat-core/thread.ts';
import type { ShownQuery } from '#shell/shown-query.ts';
import type { ChatDeps } from './deps.ts';
import { pageFolder, showPage } from '#shell/vscode/webview.ts';
import { saveAs } from './save.ts';
import { type QueryEnvironment, environmentOf } from '#features/data/vscode/environments.ts';
import { ResultSurface } from '#features/data/vscode/result-surface.ts';

/** Runs queries against the data API of a branch's environment and shows their rows in editors. */
export class Results implements Disposable {
  readonly #deps: ChatDeps;
  readonly #store = new DisposableStore();

  constructor(deps: ChatDeps) {
    this.#deps = deps;
  }

  async run(sql: string, title: string, branch: TurnBranch | undefined): Promise<void> {
    const { environments, context } = this.#deps;
    const found = environmentOf(await environments(), branch);
    if (!found.ok) {
      void vscode.window.showInformationMessage(textOf(found.error));
      return;
    }
    const token = await this.#token(found.value);
    if (token === undefined) return;
    const name = context.value.kind === 'ready' ? context.value.deploymentName : '';
    const place = `${name} · ${branch?.name ?? found.value.name}`;
    this.show({ sql, title, place, client: this.#client(found.value, token) });
  }

  /** Runs a query with a client of the caller's and shows its rows. */
  show({ sql, title, place, client }: ShownQuery): void {
    const open = (signal: AbortSignal, onWait: (what: string) => void) =>
      client.cubeSql(sql, { signal, onWait: ({ stage }) => onWait(stage ?? 'Waiting for the query') });
    this.#show(sql, title, place, new QueryRun(open, systemClock));
  }

  /** Asks for another data token of the active branch's environment. */
  async changeToken(): Promise<void> {
    const { context, environments, secrets } = this.#deps;
    const branch = context.value.kind === 'ready' ? context.value.branch : undefined;
    const found = environmentOf(await environments(), branch);
    if (!found.ok) {
      void vscode.window.showInformationMessage(textOf(found.error));
      return;
    }
    const token = await askToken(found.value);
    if (token !== undefined) await secrets.set(this.#key(found.value), token);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #client(environment: QueryEnvironment, token: string): DataClient {
    const { logger, userAgent } = this.#deps;
    return createDataClient({
      restUrl: environment.restUrl,
      credential: () => (token === '' ? undefined : { kind: 'plain', token, origin: originOf(environment.restUrl) }),
      logger,
      userAgent,
    });
  }

  #show(sql: string, title: string, place: string, run: QueryRun): void {
    const panel = vscode.window.createWebviewPanel(
      'modelbench.results',
      textOf(title || 'Query'),
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        enableFindWidget: true,
        localResourceRoots: [pageFolder(this.#deps.extensionUri)],
      },
    );
    const { webview } = panel;
    const surface = new ResultSurface({
      title,
      place,
      sql,
      run,
      logger: this.#deps.logger,
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own postMessage takes no origin
      post: (message) => void webview.postMessage(message),
      copy: async (text) => vscode.env.clipboard.writeText(text),
      saveCsv: (text) => saveAs(title, 'csv', Buffer.from(text, 'utf8')),
      openSql: async () => {
        const document = await vscode.workspace.openTextDocument({ language: 'sql', content: sql });
        await vscode.window.showTextDocument(document, { preview: false });
      },
    });
    const closing = this.#store.add(toDisposable(() => panel.dispose()));
    panel.onDidDispose(() => {
      surface.dispose();
      this.#store.delete(closing);
    });
    webview.onDidReceiveMessage((message: unknown) => {
      surface.receive(message).catch((error: unknown) => this.#deps.report('results', error));
    });
    showPage(webview, this.#deps.extensionUri, 'results');
    void run.start();
  }

  /** The kept token of the environment, else asked for; empty: none is needed. */
  async #token(environment: QueryEnvironment): Promise<string | undefined> {
    const kept = await this.#deps.secrets.get(this.#key(environment));
    if (kept !== undefined) return kept;
    const token = await askToken(environment);
    if (token !== undefined) await this.#deps.secrets.set(this.#key(environment), token);
    return token;
  }

  #key(environment: QueryEnvironment): string {
    const { value } = this.#deps.context;
    return dataTokenName(value.kind === 'ready' ? value : { accountId: '', deploymentId: '' }, environment);
  }
}

/** The metadata token of the platform cannot query (docs/platform-api.md#createmetadatatoken): a data token is the deployment's own business. */
async function askToken(environment: QueryEnvironment): Promise<string | undefined> {
  const token = await vscode.window.showInputBox({
    title: text`Data Token for ${environment.name}`,
    prompt: text`A JWT signed with the deployment’s API secret. It is sent only to ${hostOf(environment.restUrl)} and stored in VS Code’s secret storage. Leave empty if none is needed.`,
    password: true,
    ignoreFocusOut: true,
  });
  return token?.trim();
}
