import { isJwt } from './jwt.ts';
import type { TokenPorts } from './token-broker.ts';

/**
 * Tokens that say who queries: the platform issues them, or they are signed with the API secret. A token that the user
 * entered says something else, and none says nothing.
 */
export function portsOfIdentity(ports: TokenPorts): TokenPorts {
  return {
    ...ports,
    read: async (kind) => (kind === 'secret' ? ports.read(kind) : undefined),
    test: async (token, signal) => token !== undefined && (await ports.test(token, signal)),
    ask: (reason, check) =>
      ports.ask(reason, async (typed, signal) =>
        isJwt(typed.trim())
          ? 'A token already says who queries. Enter the API secret, so that Modelbench can sign one for this identity.'
          : check(typed, signal),
      ),
  };
}
