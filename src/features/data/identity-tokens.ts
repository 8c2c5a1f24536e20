import { isJwt } from './jwt.ts';
import type { TokenPorts } from './token-broker.ts';

/**
 * Returns ports that only provide tokens with the identity of a query: issued by the platform, or signed with the API secret. A
 * token that the user entered contains another identity, and no token contains none.
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
