import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable.ts';
import { askLog, LogChoices, logWords } from '#features/logs/log-choice.ts';
import { LogFeed } from '#features/logs/log-feed.ts';
import { type LogAddress, parseKeptLog } from '#features/logs/messages.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { logView } from '#shell/view-ids.ts';
import { pageFolder, showPage } from '#shell/vscode/webview.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import { watchdog } from './bounded.ts';
import { chooseLog } from './choose-log.ts';
import { titleOf } from '#features/platform/vscode/document-title.ts';
import type { LogDeps } from './deps.ts';
import { openLogPlace, saveLog } from './log-places.ts';

/** Follows a deployment's log in a view of its own: filtered, paused, searched, saved. */
export async function showLogs(services: LogDeps, target: DeploymentTarget, views: LogViews): Promise<void> {
  const choices = new LogChoices(stateStore(services.context.globalState));
  const choice = await chooseLog(services, target, choices);
  if (!choice) return;
  const { accountId, deploymentId } = target;
  const title = `${titleOf(services, target)} · ${logWords(choice)}`;
  views.show(services, { accountId, deploymentId, title, ...choice });
}

/** One view for each log that was asked for; a log is followed while its view is open. */
export class LogViews implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #panels = new Map<string, { readonly accountId: string; readonly panel: vscode.WebviewPanel }>();

  show(services: LogDeps, log: LogAddress): void {
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
  restore(services: LogDeps, panel: vscode.WebviewPanel, state: unknown): void {
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

  #fill(services: LogDeps, panel: vscode.WebviewPanel, log: LogAddress): void {
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

function feedOf(services: LogDeps, webview: vscode.Webview, log: LogAddress): LogFeed {
  const { accountId, deploymentId } = log;
  return new LogFeed({
    log,
    // A log of an earlier window may be of an account that is signed out: that is reported in its view.
    ask: (question, signal) => askLog(services.data.client(accountId), deploymentId, log)(question, signal),
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
