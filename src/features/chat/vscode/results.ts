import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { keptRowsFirst } from '#chat-core/kept-rows.ts';
import { type OpenQuery, QueryRun } from '#chat-core/query-run.ts';
import type { TurnBranch } from '#chat-core/thread.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';
import { queryOfSql } from '#model/query-files/sql-query.ts';
import type { ShownQuery } from '#shell/shown-query.ts';
import { Hint } from '#shell/user-error.ts';
import { rowsSource } from '#features/chat/rows-source.ts';
import type { ChatModelDeps, ChatPlatformDeps, ChatStoreDeps, ChatWindowDeps } from './deps.ts';
import { closeWith, pageIn } from '#shell/vscode/webview.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import { saveAs } from '#shell/vscode/save-as.ts';
import type { HostToResults } from '#features/data/messages.ts';
import { environmentOf, type QueryTarget, ResultSurface } from '#features/data/index.ts';

interface ResultDeps
  extends
    Pick<ChatStoreDeps, 'extensionUri' | 'queries' | 'logger' | 'report'>,
    Pick<ChatPlatformDeps, 'environments' | 'showPlayground'>,
    Pick<ChatModelDeps, 'modelFolder'>,
    Pick<ChatWindowDeps, 'context'> {}

/** Runs queries against the data API of a branch's environment and shows their rows in editors. */
export class Results implements Disposable {
  readonly #deps: ResultDeps;
  readonly #store = new DisposableStore();
  /** The open views of rows that belong to an account. */
  readonly #owned = new Map<vscode.WebviewPanel, string>();

  constructor(deps: ResultDeps, accounts: ChatPlatformDeps['accounts']) {
    this.#deps = deps;
    this.#store.add(
      accounts.onDidChange((all) => {
        const left = [...this.#owned].filter(([, accountId]) => all.every(({ id }) => id !== accountId));
        for (const [panel] of left) panel.dispose();
      }),
    );
  }

  async run(sql: string, title: string, branch: TurnBranch | undefined): Promise<void> {
    const { environments } = this.#deps;
    const found = environmentOf(await environments(), branch);
    if (!found.ok) {
      void vscode.window.showInformationMessage(textOf(found.error));
      return;
    }
    const queries = await this.#deps.queries();
    const target = this.#target(branch);
    this.show(await queries.shown(target, { sql, title }));
  }

  /** Shows the rows that the agent read; running the query again reads all of them. */
  open(result: QueryResult, branch: TurnBranch | undefined): void {
    const { sql, title, columns, rows, total } = result;
    const again: OpenQuery = async function* (this: Results, signal: AbortSignal, onWait: (what: string) => void) {
      const found = environmentOf(await this.#deps.environments(), branch);
      if (!found.ok) throw new Hint(found.error);
      const queries = await this.#deps.queries();
      const { client } = await queries.shown(this.#target(branch), { sql, title });
      yield* openWith(client, sql)(signal, onWait);
    }.bind(this);
    const source = rowsSource(rows.length, total);
    const { accountId } = this.#target(branch);
    this.#show({ sql, title, source, accountId }, new QueryRun(keptRowsFirst({ columns, rows }, again), systemClock));
  }

  /** Opens the playground of the chosen deployment with a statement as its query, and runs it. */
  async openPlayground(sql: string, branch: TurnBranch | undefined): Promise<void> {
    const found = environmentOf(await this.#deps.environments(), branch);
    if (!found.ok) {
      void vscode.window.showInformationMessage(textOf(found.error));
      return;
    }
    const query = queryOfSql(sql);
    if (!query) throw new Hint('The playground has no query that means the same as this SQL.');
    const linked = this.#deps.modelFolder();
    const folder = (linked && vscode.workspace.getWorkspaceFolder(linked.uri)?.uri.toString()) ?? '';
    await this.#deps.showPlayground({ folder, branch: this.#target(branch), isFixed: true, query });
  }

  /** Runs a query with the caller's client and shows its rows. */
  show(query: ShownQuery): void {
    this.#show(query, new QueryRun(openWith(query.client, query.sql), systemClock));
  }

  /** Asks the user for another secret or token for queries in the active branch's environment. */
  async changeToken(): Promise<void> {
    const { context, environments } = this.#deps;
    const branch = context.value.kind === 'ready' ? context.value.branch : undefined;
    const found = environmentOf(await environments(), branch);
    if (!found.ok) {
      void vscode.window.showInformationMessage(textOf(found.error));
      return;
    }
    await (await this.#deps.queries()).changeCredential(this.#target(branch));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #show(query: Omit<ShownQuery, 'client'>, run: QueryRun): void {
    const { sql, title } = query;
    const panel = vscode.window.createWebviewPanel(
      'modelbench.results',
      textOf(title || 'Query'),
      vscode.ViewColumn.Active,
      {
        enableFindWidget: true,
      },
    );
    const page = pageIn<HostToResults>(panel.webview, this.#deps.extensionUri, 'results');
    const surface = new ResultSurface({
      query,
      run,
      logger: this.#deps.logger,
      post: page.post,
      outputs: {
        copy: async (text) => vscode.env.clipboard.writeText(text),
        saveCsv: (text) => saveAs(title, 'csv', Buffer.from(text, 'utf8')),
        ask: async (question) => execute('modelbench.chat.ask', question),
        openSql: async () => {
          const document = await vscode.workspace.openTextDocument({ language: 'sql', content: sql });
          await vscode.window.showTextDocument(document, { preview: false });
        },
      },
    });
    if (query.accountId !== undefined) this.#owned.set(panel, query.accountId);
    closeWith(this.#store, panel, () => {
      this.#owned.delete(panel);
      surface.dispose();
    });
    page.show(
      async (message) => surface.receive(message),
      (error) => this.#deps.report('results', error),
    );
    void run.start();
  }

  #target(branch: TurnBranch | undefined): Extract<QueryTarget, { readonly kind: 'environment' }> {
    const { value } = this.#deps.context;
    const { accountId, deploymentId } = value.kind === 'ready' ? value : { accountId: '', deploymentId: '' };
    return { kind: 'environment', accountId, deploymentId, branchName: branch?.name };
  }
}

function openWith(client: ShownQuery['client'], sql: string): OpenQuery {
  return (signal, onWait) =>
    client.cubeSql(sql, { signal, onWait: ({ stage }) => onWait(stage ?? 'Waiting for the query') });
}
