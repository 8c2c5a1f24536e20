import { describe, expect, it } from 'vitest';
import { Accounts, type RefreshTokens } from '#features/accounts/accounts.ts';
import { memoryAccounts } from '#support/features.ts';

const canary = 'canary-key-8f31';

describe('accounts', () => {
  it('keeps the key in the secret store and nowhere else', async () => {
    const { accounts, secrets, state } = memoryAccounts();
    const account = await accounts.add('https://acme.example.com', canary);
    expect([...secrets.values.values()]).toEqual([canary]);
    expect([...state.values.values()].join('')).not.toContain(canary);
    expect(JSON.stringify(accounts.all.value)).not.toContain(canary);
    expect(await accounts.key(account)).toBe(canary);
  });

  it('forgets everything at sign-out', async () => {
    const { accounts, secrets, state } = memoryAccounts();
    const account = await accounts.add('https://acme.example.com', canary);
    await secrets.set(`chat.address.${JSON.stringify([account.id, '1', 'https://chat'])}`, canary);
    await secrets.set(`data.token.${JSON.stringify([account.id, '1', '2'])}`, canary);
    await secrets.set(`data.token.${JSON.stringify([`${account.id}#robot`, '1', '2'])}`, 'of another');
    await accounts.remove(account.id);
    expect([...secrets.values.values()]).toEqual(['of another']);
    expect(state.get('accounts')).toEqual([]);
    expect(accounts.all.value).toEqual([]);
    expect(await accounts.key(account)).toBeUndefined();
  });

  it('holds several tenants at once and replaces the key of one that signs in again', async () => {
    const { accounts } = memoryAccounts();
    const acme = await accounts.add('https://acme.example.com', 'first');
    await accounts.add('https://globex.example.com', 'other');
    await accounts.add('https://acme.example.com', 'second');
    expect(accounts.all.value.map(({ label }) => label).sort()).toEqual(['acme.example.com', 'globex.example.com']);
    expect(await accounts.key(acme)).toBe('second');
  });

  it('finds the account of a tenant however its URL is written', async () => {
    const { accounts } = memoryAccounts();
    const account = await accounts.add('https://acme.example.com', 'key');
    expect(accounts.ofTenant('https://ACME.example.com/')).toEqual(account);
    expect(accounts.ofTenant('https://other.example.com')).toBeUndefined();
  });

  it('offers the key of the environment without storing it', async () => {
    const { accounts, secrets, state } = memoryAccounts({ tenantUrl: 'https://acme.example.com', key: canary });
    const [account] = accounts.all.value;
    expect(account).toMatchObject({ source: 'environment', label: 'acme.example.com' });
    expect(account && (await accounts.key(account))).toBe(canary);
    expect(secrets.values.size + state.values.size).toBe(0);
  });

  it('prefers a stored sign-in of the same tenant to the environment’s', async () => {
    const { accounts } = memoryAccounts({ tenantUrl: 'https://acme.example.com', key: 'env' });
    await accounts.add('https://acme.example.com', 'stored');
    expect(accounts.all.value.map(({ source }) => source)).toEqual(['stored']);
  });

  it('sees what another window signed in', async () => {
    const { accounts, secrets, state } = memoryAccounts();
    const other = new Accounts({ secrets, state });
    await other.add('https://acme.example.com', 'key');
    accounts.reload();
    expect(accounts.all.value).toHaveLength(1);
  });

  it('remembers a refused key until a new one is given', async () => {
    const { accounts } = memoryAccounts();
    const { id } = await accounts.add('https://acme.example.com', 'old');
    accounts.reportKey(id, false);
    expect(accounts.refused.value.has(id)).toBe(true);
    await accounts.add('https://acme.example.com', 'new');
    expect(accounts.refused.value.has(id)).toBe(false);
  });

  it('keeps a browser sign-in fresh, once for all who ask', async () => {
    const { accounts } = memoryAccounts();
    const old = { accessToken: 'old', refreshToken: 'r1', expiresAt: 100_000 };
    const account = await accounts.addTokens('https://acme.example.com', old);
    const asked: string[] = [];
    const refresh: RefreshTokens = (token) => {
      asked.push(token);
      return Promise.resolve({ accessToken: 'new', refreshToken: 'r2', expiresAt: 900_000 });
    };
    await accounts.keepFresh(account, refresh, 10_000);
    expect(await accounts.key(account)).toBe('old');
    await Promise.all([accounts.keepFresh(account, refresh, 50_000), accounts.keepFresh(account, refresh, 50_000)]);
    expect(await accounts.key(account)).toBe('new');
    expect(asked).toEqual(['r1']);
  });

  it('cannot renew a plain key, and keeps tokens that the platform refuses to renew', async () => {
    const { accounts } = memoryAccounts();
    const plain = await accounts.add('https://acme.example.com', 'key');
    const refuse: RefreshTokens = () => Promise.reject(new Error('no'));
    expect(await accounts.renew(plain, refuse)).toBe(false);
    const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: undefined };
    const account = await accounts.addTokens('https://globex.example.com', tokens);
    expect(await accounts.renew(account, refuse)).toBe(false);
    expect(await accounts.key(account)).toBe('a');
  });
});
