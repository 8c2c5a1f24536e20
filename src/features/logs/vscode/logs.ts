import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { askLog, firstLog, type LogChoice, LogChoices, logText } from '#features/logs/log-choice.ts';
import { LogFeed } from '#features/logs/log-feed.ts';
import { type HostToLog, type LogAddress, parseKeptLog } from '#features/logs/messages.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { logView } from '#shell/view-ids.ts';
import { closeWith, type PageChannel, pageIn } from '#shell/vscode/webview.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import { watchdog } from './bounded.ts';
import { changeLog, type LogField } from './choose-log.ts';
import { titleOf } from '#features/platform/index.ts';
import type { LogDeps } from './deps.ts';
import { openLogPath, saveLog } from './log-files.ts';

/** Follows a deployment's log in an editor where the user can change, filter, pause, search and save it. */
export function showLogs(services: LogDeps, target: DeploymentTarget, views: Pick<LogViews, 'show'>): void {
  views.show(services, addressOf(services, target, firstLog(choicesOf(services).last(target))));
}

/**
 * Asks for another value of one property of a log; resolves to the log to follow instead, or `undefined` if the user cancelled.
 */
export async function otherLog(services: LogDeps, log: LogAddress, what: LogField): Promise<LogAddress | undefined> {
  const { accountId, deploymentId, title: _, ...choice } = log;
  const target = { accountId, deploymentId };
  const changed = await changeLog(services, target, choicesOf(services), { choice, what });
  return changed && addressOf(services, target, changed);
}

const choicesOf = ({ context }: LogDeps): LogChoices => new LogChoices(stateStore(context.globalState));

function addressOf(services: LogDeps, target: DeploymentTarget, choice: LogChoice): LogAddress {
  const { accountId, deploymentId } = target;
  return { accountId, deploymentId, title: `${titleOf(services, target)} · ${logText(choice)}`, ...choice };
}

/** One view for each opened log, which is followed while its view is open. */
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
      // The search text and the scroll position would be lost while the tab is in the background.
      retainContextWhenHidden: true,
    });
    this.#fill(services, panel, log);
  }

  /** Follows the log of an earlier window again, with the filter that its view has stored. */
  restore(services: LogDeps, panel: vscode.WebviewPanel, state: unknown): void {
    const { log } = parseKeptLog(state);
    if (log && !this.#panels.has(keyOf(log))) this.#fill(services, panel, log);
    else panel.dispose();
  }

  /** Closes the logs of accounts that signed out, because the next user must not see their lines. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    for (const { accountId, panel } of this.#panels.values()) if (!accountIds.has(accountId)) panel.dispose();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #fill(services: LogDeps, panel: vscode.WebviewPanel, log: LogAddress): void {
    let key = keyOf(log);
    const page = pageIn<HostToLog>(panel.webview, services.context.extensionUri, 'log');
    this.#panels.set(key, { accountId: log.accountId, panel });
    const choose = async (what: LogField): Promise<void> => {
      const other = await otherLog(services, shown, what);
      if (!other || keyOf(other) === key) return;
      feed.dispose();
      this.#panels.delete(key);
      [shown, key] = [other, keyOf(other)];
      this.#panels.set(key, { accountId: other.accountId, panel });
      panel.title = text`Log: ${other.title}`;
      feed = feedOf(services, page, other, choose);
      await feed.receive({ type: 'ready' });
      void feed.run();
    };
    let shown = log;
    let feed = feedOf(services, page, log, choose);
    closeWith(this.#owned, panel, () => {
      feed.dispose();
      this.#panels.delete(key);
    });
    page.show(
      async (message) => feed.receive(message),
      (error) => void services.boundary('modelbench.deployment.showLogs', error),
    );
    void feed.run();
  }
}

const keyOf = ({ accountId, deploymentId, title }: LogAddress): string => `${accountId} ${deploymentId} ${title}`;

function feedOf(
  services: LogDeps,
  { post }: PageChannel<HostToLog>,
  log: LogAddress,
  choose: (what: LogField) => Promise<void>,
): LogFeed {
  const { accountId, deploymentId } = log;
  return new LogFeed({
    log,
    // The account of an earlier window's log may be signed out; its view reports that.
    ask: askLog(services.data, { accountId, deploymentId }, log),
    clock: systemClock,
    logger: services.logger,
    post,
    actions: {
      save: async (parts) => saveLog(log.title, parts),
      copy: async (text) => {
        await vscode.env.clipboard.writeText(text);
        vscode.window.setStatusBarMessage('$(check) Copied', 3000);
      },
      choose,
      open: async (target) => openLogPath(services, { accountId, deploymentId }, target),
    },
    bounded: watchdog(),
  });
}
