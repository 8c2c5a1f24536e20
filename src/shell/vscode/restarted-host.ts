import type { Clock } from '#base/clock.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { commandIds } from '#shell/vscode/guarded/commands.ts';

export interface HostContext {
  readonly extension: Pick<vscode.Extension<unknown>, 'id'>;
}

const name = 'Modelbench (Window)';
/** How long to wait before VS Code is asked again whether it has registered the channel, in milliseconds. */
const pause = 500;
/** How often it is asked: a window that still starts registers it later. */
const most = 120;

/**
 * Resolves to whether this window ran another extension host before this one. Call it once in each host. It resolves to `false` if
 * the signal is aborted.
 *
 * A window numbers the output channels that an extension creates, other than logs, for as long as it is loaded, and removes those of
 * a host that ended. So each host creates one for a moment: where its number is higher than the count of channels, an earlier host
 * had the numbers that are missing. (The session id of `vscode.env` would show it as well, but it is the same in all windows if
 * telemetry is off.)
 */
export async function isRestartedHost({ extension }: HostContext, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const prefix = `workbench.action.output.show.extension-output-${extension.id}-#`.toLowerCase();
  const channel = vscode.window.createOutputChannel(name);
  try {
    for (let left = most; left > 0; left -= 1) {
      const channels = (await commandIds())
        .filter((id) => id.toLowerCase().startsWith(prefix))
        .map((id) => id.slice(prefix.length));
      const own = channels.find((each) => each.endsWith(`-${name}`));
      if (own !== undefined) return Number.parseInt(own, 10) > channels.length;
      await clock.sleep(pause, signal);
    }
    return false;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    // Not earlier: VS Code never removes a channel that is disposed before it is registered.
    channel.dispose();
  }
}
