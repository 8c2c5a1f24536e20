import * as vscode from 'vscode';
import { getLogs, logContainers, logSources } from '#api/runtime.ts';
import { asError, isCancelled } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { followLog, formatLogLine } from '#features/console/log-tail.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { type ConsoleServices, titleOf } from './deps.ts';

/** Rows of the first look. */
const firstRows = 500;

/** Follows a deployment's log in an output channel: find, save, clear and scroll lock are VS Code's own there. */
export async function showLogs(
  services: ConsoleServices,
  target: DeploymentTarget,
  followers: LogFollowers,
): Promise<void> {
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
  followers.follow(services, target, `${titleOf(services, target)} · ${source.label} · ${container.label}`, query);
}

type Query = { readonly source?: (typeof logSources)[number]; readonly container?: string };

interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T | undefined;
}

async function pick<T>(placeHolder: string, items: readonly Choice<T>[]): Promise<Choice<T> | undefined> {
  return vscode.window.showQuickPick(items, { title: 'Logs', placeHolder });
}

/** One channel and one follower for each log that was asked for; all end with the window. */
export class LogFollowers implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #channels = new Map<string, vscode.OutputChannel>();

  follow(services: ConsoleServices, target: DeploymentTarget, title: string, query: Query): void {
    const known = this.#channels.get(title);
    if (known) {
      known.show(true);
      return;
    }
    const channel = this.#owned.add(vscode.window.createOutputChannel(`Log: ${title}`, 'log'));
    const ended = new AbortController();
    this.#owned.add({ dispose: () => ended.abort() });
    this.#channels.set(title, channel);
    channel.show(true);
    void this.#run(services, target, channel, query, ended.signal);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #run(
    services: ConsoleServices,
    target: DeploymentTarget,
    channel: vscode.OutputChannel,
    query: Query,
    signal: AbortSignal,
  ): Promise<void> {
    const { deploymentId } = target;
    const client = services.data.client(target.accountId);
    const rows = followLog(
      async (from, until) => {
        const request = {
          params: { deploymentId },
          query: { ...query, ...(from === undefined ? { limit: firstRows } : { from }) },
        };
        const answer = await client.call(getLogs, request, { signal: until });
        return answer.map(({ date, pod, container, message }) => ({ date, pod, container, message }));
      },
      systemClock,
      signal,
    );
    channel.appendLine(`— Following the log of ${services.data.nameOf(target)}; new rows appear here.`);
    try {
      for await (const lines of rows) channel.append(`${lines.map(formatLogLine).join('\n')}\n`);
    } catch (error) {
      if (isCancelled(error)) return;
      channel.appendLine(`— The log cannot be followed any more: ${asError(error).message}`);
      this.#channels.delete(channel.name.replace(/^Log: /, ''));
    }
  }
}
