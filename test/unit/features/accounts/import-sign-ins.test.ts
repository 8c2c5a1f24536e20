import { beforeEach, describe, expect, it } from 'vitest';
import { importSignIns, isImported } from '#features/accounts/import-sign-ins.ts';
import type { NewKeyPorts } from '#features/accounts/new-key.ts';
import { type Desk, memoryAccounts, openDesk } from '#support/features.ts';

let desk: Desk;
let forgotten: string[];
let ports: NewKeyPorts;
beforeEach(async () => {
  desk = await openDesk();
  forgotten = [];
  const { accounts } = memoryAccounts();
  const connectWith = (tenantUrl: string, key: string): Desk['client'] =>
    desk.data.client(key === desk.platform.apiKey ? desk.account.id : refusedAccount(tenantUrl));
  ports = { accounts, connectWith, data: { forget: (id) => void forgotten.push(id) } };
});

/** An account of the same platform whose key it does not know. */
let refusedId = '';
function refusedAccount(_tenantUrl: string): string {
  return refusedId;
}

const context = (name: string, key: string): Parameters<typeof importSignIns>[1][number] => ({
  name,
  tenantUrl: 'https://platform.test',
  key,
  refreshToken: undefined,
  isDefault: false,
});

describe('importing sign-ins of the command-line client', () => {
  beforeEach(async () => {
    refusedId = (await desk.accounts.add('https://platform.test', 'unknown-key', 'refused')).id;
  });

  const signal = new AbortController().signal;

  it('remembers those that work and answers the others with their reason', async () => {
    const tried: string[] = [];
    const contexts = [context('old', 'unknown-key'), context('work', desk.platform.apiKey)];
    const refused = await importSignIns(ports, contexts, { signal, onTry: (name) => tried.push(name) });
    expect(tried).toEqual(['old', 'work']);
    expect(refused).toEqual([
      {
        name: 'old',
        reason:
          'The platform does not accept this API key or token: it is wrong or has expired (“The API key is unknown or expired”). Paste another one.',
      },
    ]);
    expect(ports.accounts.all.value.map(({ label }) => label)).toEqual(['work']);
    expect(isImported(contexts[1] as never, ports.accounts.all.value)).toBe(true);
  });

  it('forgets what was read with an older key of the same account', async () => {
    await importSignIns(ports, [context('work', desk.platform.apiKey)], { signal, onTry: () => undefined });
    expect(forgotten).toEqual(ports.accounts.all.value.map(({ id }) => id));
  });

  it('keeps the refresh token of a sign-in with a browser', async () => {
    const browser = { ...context('work', desk.platform.apiKey), refreshToken: 'again' };
    await importSignIns(ports, [browser], { signal, onTry: () => undefined });
    const [account] = ports.accounts.all.value;
    const renewed = account && (await ports.accounts.renew(account, () => Promise.reject(new Error('offline'))));
    expect(renewed).toBe(false);
    expect(account && (await ports.accounts.key(account))).toBe(desk.platform.apiKey);
  });

  it('ends where it is cancelled, and keeps what worked until then', async () => {
    const controller = new AbortController();
    const contexts = [context('work', desk.platform.apiKey), context('late', desk.platform.apiKey)];
    const onTry = (name: string): void => {
      if (name === 'late') controller.abort();
    };
    await expect(importSignIns(ports, contexts, { signal: controller.signal, onTry })).rejects.toMatchObject({
      kind: 'cancelled',
    });
    expect(ports.accounts.all.value.map(({ label }) => label)).toEqual(['work']);
  });
});
