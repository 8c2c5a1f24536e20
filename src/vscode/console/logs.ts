import * as vscode from 'vscode';
import { readBytes } from '#api/byte-stream.ts';
import { getLogs, logContainers, logSources } from '#api/runtime.ts';
import { asError, isCancelled } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { logRows } from '#features/console/log-rows.ts';
import { followLog, formatLogLine } from '#features/console/log-tail.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { type ConsoleServices, titleOf } from './deps.ts';

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
      async function* (question, until) {
        const { limit, from } = question;
        const request = {
          params: { deploymentId },
          query: { ...query, limit, ...(from === undefined ? {} : { from }) },
        };
        const response = await client.open(getLogs, request, { signal: until });
        yield* logRows(readBytes(response, getLogs.id, { signal: until }));
      },
      systemClock,
      signal,
    );
    channel.appendLine(`— Following the log of ${services.data.nameOf(target)}; new rows appear here.`);
    try {
      for await (const news of rows) {
        if (news.kind === 'rows') channel.append(`${news.rows.map(formatLogLine).join('\n')}\n`);
        else channel.appendLine(`— There is more than could be read: rows after ${news.after} are missing here.`);
      }
    } catch (error) {
      if (isCancelled(error)) return;
      channel.appendLine(`— The log cannot be followed any more: ${asError(error).message}`);
      this.#channels.delete(channel.name.replace(/^Log: /, ''));
    }
  }
}
