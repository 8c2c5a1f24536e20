import * as vscode from 'vscode';
import { readBytes } from '#api/byte-stream.ts';
import type { Client } from '#api/client.ts';
import { getLogs, logContainers, logSources } from '#api/runtime.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable.ts';
import { LogFeed } from '#features/console/log-feed.ts';
import { logRows } from '#features/console/log-rows.ts';
import type { AskLog } from '#features/console/log-tail.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { pageFolder, showPage } from '../platform/webview.ts';
import { watchdog } from './bounded.ts';
import { type ConsoleServices, titleOf } from './deps.ts';
import { openLogPlace, saveLog } from './log-places.ts';

/** Follows a deployment's log in a view of its own: filtered, paused, searched, saved. */
export async function showLogs(services: ConsoleServices, target: DeploymentTarget, views: LogViews): Promise<void> {
  const source = await pick('Which log?', [
    ...logSources.map((each) => ({ label: each, value: each })),
    { label: 'all', value: undefined },
  ]);
  if (!source) return;
  const container = await pick('Which container?', [
    { label: 'all', value: undefined },
    ...logContainers.map((each) => ({ label: each, value: each })),
  ]);
  if (!container) return;
  const query = {
    ...(source.value === undefined ? {} : { source: source.value }),
    ...(container.value === undefined ? {} : { container: container.value }),
  };
  views.show(services, target, `${titleOf(services, target)} · ${source.label} · ${container.label}`, query);
}

type Query = { readonly source?: (typeof logSources)[number]; readonly container?: string };

interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T | undefined;
}

async function pick<T>(placeHolder: string, items: readonly Choice<T>[]): Promise<Choice<T> | undefined> {
  return vscode.window.showQuickPick(items, { title: 'Logs', placeHolder });
}

/** One view for each log that was asked for; a log is followed while its view is open. */
export class LogViews implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #panels = new Map<string, { readonly accountId: string; readonly panel: vscode.WebviewPanel }>();

  show(services: ConsoleServices, target: DeploymentTarget, title: string, query: Query): void {
    const key = `${target.accountId} ${target.deploymentId} ${title}`;
    const known = this.#panels.get(key);
    if (known) {
      known.panel.reveal();
      return;
    }
    const { extensionUri } = services.context;
    const panel = vscode.window.createWebviewPanel('modelbench.log', `Log: ${title}`, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [pageFolder(extensionUri)],
      // What is looked for and how far one has read would be lost with the tab in the background.
      retainContextWhenHidden: true,
    });
    this.#panels.set(key, { accountId: target.accountId, panel });
    const feed = this.#feed(services, target, { title, query, webview: panel.webview });
    const closing = this.#owned.add(toDisposable(() => panel.dispose()));
    panel.onDidDispose(() => {
      feed.dispose();
      this.#panels.delete(key);
      this.#owned.delete(closing);
    });
    panel.webview.onDidReceiveMessage(async (message: unknown) =>
      feed.receive(message).catch((error: unknown) => void services.boundary('modelbench.deployment.showLogs', error)),
    );
    showPage(panel.webview, extensionUri, 'log');
    void feed.run();
  }

  /** Closes the logs of accounts that signed out: what they held is not for whoever signs in next. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    for (const { accountId, panel } of this.#panels.values()) if (!accountIds.has(accountId)) panel.dispose();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #feed(
    services: ConsoleServices,
    target: DeploymentTarget,
    view: { readonly title: string; readonly query: Query; readonly webview: vscode.Webview },
  ): LogFeed {
    return new LogFeed({
      title: view.title,
      ask: askOf(services.data.client(target.accountId), target.deploymentId, view.query),
      clock: systemClock,
      logger: services.logger,
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own postMessage takes no origin
      post: (message) => void view.webview.postMessage(message),
      save: async (parts) => saveLog(view.title, parts),
      copy: async (text) => {
        await vscode.env.clipboard.writeText(text);
        vscode.window.setStatusBarMessage('$(check) Copied', 3000);
      },
      open: async (place) => openLogPlace(services, target, place),
      bounded: watchdog(),
    });
  }
}

function askOf(client: Client, deploymentId: string, query: Query): AskLog {
  return async function* ({ limit, from }, signal) {
    const request = { params: { deploymentId }, query: { ...query, limit, ...(from === undefined ? {} : { from }) } };
    const response = await client.open(getLogs, request, { signal });
    yield* logRows(readBytes(response, getLogs.id, { signal }));
  };
}
