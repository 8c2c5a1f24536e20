import type { NewKeyPorts } from '#features/accounts/new-key.ts';
import type { WindowTrust } from '#shell/trust.ts';

/** The dependencies of signing in. */
export interface SignInDeps extends NewKeyPorts, WindowTrust {}
