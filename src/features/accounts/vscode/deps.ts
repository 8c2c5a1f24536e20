import type { NewKeyPorts } from '#features/accounts/new-key.ts';
import type { WindowTrust } from '#shell/trust.ts';

/** What signing in needs. */
export interface SignInDeps extends NewKeyPorts, WindowTrust {}
