import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { text } from '#base/user-text.ts';
import type { HostToResults } from '#features/data/messages.ts';
import type { PlaygroundOpening, Queries, QueryTarget } from '#features/data/index.ts';
import { queryTargetKey, QueryHistory } from '#features/playground/history.ts';
import { SavedIdentities } from '#features/playground/identities.ts';
import { isSameTarget, openingTarget } from '#features/playground/opening-target.ts';
import type { PlaygroundMessage } from '#features/playground/messages.ts';
import type { PlaygroundLocation } from '#features/playground/location.ts';
import { PlaygroundSession } from '#features/playground/playground-session.ts';
import type { PlaygroundOutputs } from '#features/playground/ports.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { playgroundView } from '#shell/view-ids.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import { applyReviewedText } from '#features/review/vscode/index.ts';
import { saveAs } from '#shell/vscode/save-as.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import { closeWith, pageIn } from '#shell/vscode/webview.ts';
import { chooseIdentity, chooseOtherTarget } from './choose-identity.ts';
import type { PlaygroundDeps } from './deps.ts';
import { saveQuery } from './save-query.ts';

/** The messages that a playground page accepts. */
type PlaygroundPost = PlaygroundMessage | HostToResults;

/** An open playground. Its target may change. */
interface OpenPlayground {
  readonly panel: vscode.WebviewPanel;
  readonly session: PlaygroundSession;
  opening: PlaygroundOpening;
  target: QueryTarget;
}

/** The playgrounds of this window, one for each deployment and Cube Core server. */
export class Playgrounds implements Disposable {
  readonly #deps: PlaygroundDeps;
  readonly #open = new Set<OpenPlayground>();
  readonly #owned = new DisposableStore();
  #queries: Promise<Queries> | undefined;

  constructor(deps: PlaygroundDeps) {
    this.#deps = deps;
    this.#owned.add(deps.builds.onDidFinish(({ isNews, target }) => isNews && void this.#reload(target)));
  }

  /** Shows the playground for the query target of a folder; resolves to `false` if there is no target. */
  async show(opening: PlaygroundOpening): Promise<boolean> {
    const queries = await this.#service();
    const target = await openingTarget(opening, queries.choices);
    if (!target) return false;
    const shown = this.#find(target) ?? this.#add(queries, opening, target);
    shown.opening = opening;
    shown.panel.reveal();
    if (!isSameTarget(shown.target, target)) await this.#move(shown, target, queries);
    if (opening.query) await shown.session.runQuery(opening.query);
    if (opening.name !== undefined) await shown.session.query(opening.name);
    return true;
  }

  /** Closes the playgrounds of all other accounts, because their users signed out. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    for (const { target, panel } of this.#open) {
      if (target.kind === 'environment' && !accountIds.has(target.accountId)) panel.dispose();
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #service(): Promise<Queries> {
    this.#queries ??= this.#deps.queries().then((queries) => {
      this.#owned.add(queries.choices.onDidChoose((folder) => void this.#follow(folder, queries)));
      return queries;
    });
    return this.#queries;
  }

  #find(target: QueryTarget): OpenPlayground | undefined {
    return [...this.#open].find((each) => queryTargetKey(each.target) === queryTargetKey(target));
  }

  /** Moves open playgrounds after the user chose another target for a folder. */
  async #follow(folder: string, queries: Queries): Promise<void> {
    try {
      for (const shown of [...this.#open].filter(({ opening }) => opening.folder === folder)) {
        const target = await openingTarget(shown.opening, queries.choices);
        if (target && !isSameTarget(shown.target, target)) await this.#move(shown, target, queries);
      }
    } catch (error) {
      await this.#deps.boundary('modelbench.data.chooseTarget', error);
    }
  }

  /** Reloads open playgrounds after a build of their deployment, because its members may have changed. */
  async #reload({ accountId, deploymentId }: DeploymentTarget): Promise<void> {
    for (const { target, session } of [...this.#open]) {
      const { kind } = target;
      if (kind === 'environment' && target.accountId === accountId && target.deploymentId === deploymentId)
        await session.reload();
    }
  }

  async #move(shown: OpenPlayground, target: QueryTarget, queries: Queries): Promise<void> {
    shown.target = target;
    await shown.session.move(this.#locationOf(target, queries));
  }

  #add(queries: Queries, opening: PlaygroundOpening, target: QueryTarget): OpenPlayground {
    const panel = vscode.window.createWebviewPanel(playgroundView, text`Playground`, vscode.ViewColumn.Active, {
      enableFindWidget: true,
    });
    const { extensionUri } = this.#deps.context;
    const page = pageIn<PlaygroundPost>(panel.webview, extensionUri, 'playground');
    const session = this.#session(page.post, this.#locationOf(target, queries), queries, () => shown);
    const shown: OpenPlayground = { panel, session, opening, target };
    this.#open.add(shown);
    closeWith(this.#owned, panel, () => {
      this.#open.delete(shown);
      session.dispose();
    });
    page.show(
      async (message) => session.receive(message),
      (error) => void this.#deps.boundary('modelbench.playground.open', error),
    );
    return shown;
  }

  #locationOf(target: QueryTarget, queries: Queries): PlaygroundLocation {
    return {
      target,
      restUrl: async () => {
        if (target.kind === 'cubeCore') return target.restUrl;
        const environment = await queries.environment(target);
        if (!environment.ok) throw new Hint(environment.error);
        return environment.value.restUrl;
      },
      history: new QueryHistory(stateStore(this.#deps.context.workspaceState), target),
    };
  }

  #session(
    post: (message: PlaygroundPost) => void,
    location: PlaygroundLocation,
    queries: Queries,
    shown: () => Pick<OpenPlayground, 'opening' | 'target'>,
  ): PlaygroundSession {
    const { advice, files } = this.#deps;
    const folder = (): string => shown().opening.folder;
    return new PlaygroundSession({
      location,
      queries,
      advice: {
        members: async () => (shown().opening.isFixed === true || folder() === '' ? [] : advice.members(folder())),
        explain: (query, signal) => advice.explain(folder(), query, signal),
        propose: (query, signal) => advice.propose(folder(), query, signal),
        review: async (uri, text, title) => applyReviewedText(files.edits, { uri, text, title, from: 'Playground' }),
      },
      clock: systemClock,
      logger: this.#deps.logger,
      post,
      outputs: {
        ...outputs,
        saveQuery: async (query, title) => saveQuery(await files.saving(shown().target, folder()), query, title),
      },
      choices: {
        identity: (target) =>
          chooseIdentity(
            this.#deps.data,
            target,
            new SavedIdentities(stateStore(this.#deps.context.workspaceState), target),
          ),
        target: () => chooseOtherTarget(queries.refreshTargets()),
      },
    });
  }
}

const outputs: Omit<PlaygroundOutputs, 'saveQuery'> = {
  openSql: async (content) => {
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
    await vscode.window.showTextDocument(document, { preview: false, viewColumn: vscode.ViewColumn.Beside });
  },
  copy: async (content) => vscode.env.clipboard.writeText(content),
  saveCsv: (content) => saveAs('playground', 'csv', Buffer.from(content, 'utf8')),
  ask: async (question) => execute('modelbench.chat.ask', question),
  saveImage: (format, data) => saveAs('playground', format, Buffer.from(data, format === 'png' ? 'base64' : 'utf8')),
};
