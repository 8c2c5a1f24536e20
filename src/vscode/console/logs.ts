import * as vscode from '#vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { readBytes } from '#api/byte-stream.ts';
import { getLogs, logContainers, logSources } from '#api/runtime.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable.ts';
import { LogFeed } from '#features/console/log-feed.ts';
import { logRows } from '#features/console/log-rows.ts';
import type { AskLog } from '#features/console/log-tail.ts';
import { type LogAddress, parseKeptLog } from '#protocol/log-view.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { logView } from '#protocol/views.ts';
import { pageFolder, showPage } from '../platform/webview.ts';
import { watchdog } from './bounded.ts';
import { type ConsoleServices, titleOf } from './deps.ts';
import { openLogPlace, saveLog } from './log-places.ts';

/** Follows a deployment's log in a view of its own: filtered, paused, searched, saved. */
export async function showLogs(services: ConsoleServices, target: DeploymentTarget, views: LogViews): Promise<void> {
  const source = await pick('Which log?', [
    ...logSources.map((each) => ({ label: textOf(each), value: each })),
    { label: text`all`, value: undefined },
  ]);
  if (!source) return;
  const container = await pick('Which container?', [
    { label: text`all`, value: undefined },
    ...logContainers.map((each) => ({ label: textOf(each), value: each })),
  ]);
  if (!container) return;
  views.show(services, {
    accountId: target.accountId,
    deploymentId: target.deploymentId,
    title: `${titleOf(services, target)} · ${source.label} · ${container.label}`,
    ...(source.value === undefined ? {} : { source: source.value }),
    ...(container.value === undefined ? {} : { container: container.value }),
  });
}

interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T | undefined;
}

async function pick<T>(placeHolder: string, items: readonly Choice<T>[]): Promise<Choice<T> | undefined> {
  return vscode.window.showQuickPick(items, { title: text`Logs`, placeHolder: textOf(placeHolder) });
}

/** One view for each log that was asked for; a log is followed while its view is open. */
export class LogViews implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #panels = new Map<string, { readonly accountId: string; readonly panel: vscode.WebviewPanel }>();

  show(services: ConsoleServices, log: LogAddress): void {
    const known = this.#panels.get(keyOf(log));
    if (known) {
      known.panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(logView, text`Log: ${log.title}`, vscode.ViewColumn.Active, {
      // What is looked for and how far one has read would be lost with the tab in the background.
      retainContextWhenHidden: true,
    });
    this.#fill(services, panel, log);
  }

  /** Follows the log of an earlier window again, with the filter that its view has kept. */
  restore(services: ConsoleServices, panel: vscode.WebviewPanel, state: unknown): void {
    const { log } = parseKeptLog(state);
    if (log && !this.#panels.has(keyOf(log))) this.#fill(services, panel, log);
    else panel.dispose();
  }

  /** Closes the logs of accounts that signed out: what they held is not for whoever signs in next. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    for (const { accountId, panel } of this.#panels.values()) if (!accountIds.has(accountId)) panel.dispose();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #fill(services: ConsoleServices, panel: vscode.WebviewPanel, log: LogAddress): void {
    const { extensionUri } = services.context;
    const key = keyOf(log);
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(extensionUri)] };
    this.#panels.set(key, { accountId: log.accountId, panel });
    const feed = feedOf(services, panel.webview, log);
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
}

const keyOf = ({ accountId, deploymentId, title }: LogAddress): string => `${accountId} ${deploymentId} ${title}`;

function feedOf(services: ConsoleServices, webview: vscode.Webview, log: LogAddress): LogFeed {
  const { accountId, deploymentId } = log;
  return new LogFeed({
    log,
    ask: askOf(services, log),
    clock: systemClock,
    logger: services.logger,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own postMessage takes no origin
    post: (message) => void webview.postMessage(message),
    save: async (parts) => saveLog(log.title, parts),
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage('$(check) Copied', 3000);
    },
    open: async (place) => openLogPlace(services, { accountId, deploymentId }, place),
    bounded: watchdog(),
  });
}

function askOf({ data }: ConsoleServices, { accountId, deploymentId, source, container }: LogAddress): AskLog {
  const query = {
    source: logSources.find((each) => each === source),
    container,
  };
  return async function* ({ limit, from }, signal) {
    const request = { params: { deploymentId }, query: { ...query, limit, from } };
    // A log of an earlier window may be of an account that is signed out: that is said in its view.
    const response = await data.client(accountId).open(getLogs, request, { signal });
    yield* logRows(readBytes(response, getLogs.id, { signal }));
  };
}
