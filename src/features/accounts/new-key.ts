import type { Client } from '#api/client.ts';
import type { Account, Accounts } from './accounts.ts';

/** The user's accounts, and a client for a key that is not stored yet. */
export interface AccountPorts {
  readonly accounts: Accounts;
  readonly connectWith: (tenantUrl: string, key: string) => Client;
}

/** With a new key, what was read with the old one is forgotten. */
export interface NewKeyPorts extends AccountPorts {
  readonly data: { forget(accountId: string): void };
}

/** Remembers a sign-in. What was loaded with an older key of the account is forgotten: the new key may not be allowed to see it. */
export async function withNewKey({ data }: Pick<NewKeyPorts, 'data'>, adding: Promise<Account>): Promise<Account> {
  const account = await adding;
  data.forget(account.id);
  return account;
}
