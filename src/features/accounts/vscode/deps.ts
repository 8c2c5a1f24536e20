import type { Client } from '#api/client.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import type { WindowTrust } from '#shell/vscode/trust.ts';

/** The user's accounts, and a client for a key that is not stored yet. */
export interface AccountDeps {
  readonly accounts: Accounts;
  readonly connectWith: (tenantUrl: string, key: string) => Client;
}

/** With a new key, what was read with the old one is forgotten. */
export interface NewKeyDeps extends AccountDeps {
  readonly data: { forget(accountId: string): void };
}

/** What signing in needs. */
export interface SignInDeps extends NewKeyDeps, WindowTrust {}
