import { commandEffects } from '#protocol/command-effects.ts';
import type { CommandId } from '#protocol/commands.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';
import type { Handler, Handlers } from './register.ts';

/**
 * The handlers, where each command that changes or runs something first asks for trust: `enablement` only greys out a menu,
 * while links, key bindings and other extensions call commands as they like.
 */
export function trustedHandlers(handlers: Handlers, services: Pick<Services, 'isTrusted'>): Handlers {
  const guarded =
    (handler: Handler): Handler =>
    (argument, selection) => {
      requireTrust(services);
      return handler(argument, selection);
    };
  const entries = Object.entries(handlers) as [CommandId, Handler][];
  return Object.fromEntries(
    entries.map(([id, handler]) => [id, commandEffects[id] === 'looks' ? handler : guarded(handler)]),
  ) as unknown as Handlers;
}
