import { type CommandId, commands } from '#shell/commands/commands.ts';
import type { WindowServices } from './composed.ts';
import { requireTrust } from '#shell/trust.ts';
import type { Handler, Handlers } from '#shell/vscode/register.ts';

/**
 * Wraps the handlers so that each command that changes or runs something first requires trust. `enablement` does not suffice: it
 * only greys out menu items, while links, key bindings and other extensions can call any command.
 */
export function trustedHandlers(handlers: Handlers, services: Pick<WindowServices, 'isTrusted'>): Handlers {
  const guarded =
    (handler: Handler<unknown>): Handler<unknown> =>
    (target, selection) => {
      requireTrust(services);
      return handler(target, selection);
    };
  const entries = Object.entries(handlers) as [CommandId, Handler<unknown>][];
  return Object.fromEntries(
    entries.map(([id, handler]) => [id, commands[id].effect === 'reads' ? handler : guarded(handler)]),
  ) as unknown as Handlers;
}
