import type { Client } from '#api/client/client.ts';
import type { Account, Accounts } from './accounts.ts';

/** The user's accounts, and a client for a key that is not stored yet. */
export interface AccountPorts {
  readonly accounts: Accounts;
  readonly connectWith: (tenantUrl: string, key: string) => Client;
}

/** Also clears the data that was read with the old key. */
export interface NewKeyPorts extends AccountPorts {
  readonly data: { forget(accountId: string): void };
}

/** Stores a sign-in and clears the data loaded with an older key of the account: the new key may not be allowed to read it. */
export async function withNewKey({ data }: Pick<NewKeyPorts, 'data'>, adding: Promise<Account>): Promise<Account> {
  const account = await adding;
  data.forget(account.id);
  return account;
}
