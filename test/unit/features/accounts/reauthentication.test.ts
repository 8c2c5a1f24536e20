import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { listBranches } from '#api/resources/branches.ts';
import { silentLogger } from '#base/log.ts';
import type { Account, Accounts } from '#features/accounts/accounts.ts';
import { Reauthentication } from '#features/accounts/reauthentication.ts';
import { memoryAccounts } from '#support/features.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { openPlatform } from '#support/platform.ts';
import { patientClient } from '../../../support/api/patient-client.ts';

const url = 'https://platform.test';

interface Scene {
  readonly accounts: Accounts;
  readonly account: Account;
  readonly clock: ManualClock;
  readonly asked: Account[];
  readonly reauthentication: Reauthentication;
  /** The user answers the open question. */
  readonly answer: () => void;
}

async function scene(key = 'old'): Promise<Scene> {
  const { accounts } = memoryAccounts();
  const account = await accounts.add(url, key);
  const clock = new ManualClock();
  const asked: Account[] = [];
  const answers: (() => void)[] = [];
  const prompt = (each: Account): Promise<void> => {
    asked.push(each);
    return new Promise((resolve) => answers.push(resolve));
  };
  const reauthentication = new Reauthentication({ accounts, prompt, clock });
  return { accounts, account, clock, asked, reauthentication, answer: () => answers.at(-1)?.() };
}

describe('a key that is refused', () => {
  it('is asked for once, however many calls wait for it, and all continue', async () => {
    const { accounts, account, asked, reauthentication } = await scene();
    const calls = [reauthentication.ask(account), reauthentication.ask(account), reauthentication.ask(account)];
    expect(accounts.refused.value.has(account.id)).toBe(true);
    await accounts.add(url, 'new');
    expect(await Promise.all(calls)).toEqual([true, true, true]);
    expect(asked).toEqual([account]);
  });

  it('is not asked for again after the user did not want to, until there is another one', async () => {
    const { accounts, account, asked, reauthentication, answer } = await scene();
    const first = reauthentication.ask(account);
    answer();
    expect(await first).toBe(false);
    expect(await reauthentication.ask(account)).toBe(false);
    expect(asked).toHaveLength(1);
    await accounts.add(url, 'new');
    const again = reauthentication.ask(account);
    answer();
    await again;
    expect(asked).toHaveLength(2);
  });

  it('holds a call no longer than two minutes, and never for an account that signed out', async () => {
    const { accounts, account, clock, reauthentication } = await scene();
    const held = reauthentication.ask(account);
    await clock.advance(120_000);
    expect(await held).toBe(false);
    await accounts.add(url, 'new');
    const other = reauthentication.ask(account);
    await accounts.remove(account.id);
    expect(await other).toBe(false);
  });

  it('is not asked for while the user signs out, nor afterwards', async () => {
    const { accounts, secrets } = memoryAccounts();
    const account = await accounts.add(url, 'key');
    const asked: Account[] = [];
    const prompt = async (each: Account): Promise<void> => void asked.push(each);
    const reauthentication = new Reauthentication({ accounts, prompt, clock: new ManualClock() });
    const forget = secrets.delete.bind(secrets);
    const answers: boolean[] = [];
    secrets.delete = async (name) => {
      await forget(name);
      answers.push(await reauthentication.ask(account));
    };
    await accounts.remove(account.id);
    answers.push(await reauthentication.ask(account));
    expect(answers).toEqual([false, false]);
    expect(asked).toEqual([]);
    expect(accounts.refused.value.size).toBe(0);
  });

  it('continues the call that was refused, on a real platform', async () => {
    const platform = await openPlatform();
    const { accounts, account, asked, reauthentication } = await scene('revoked');
    const client = patientClient({
      baseUrl: url,
      credential: async () => ({ kind: 'bearer', token: (await accounts.key(account)) ?? '', origin: originOf(url) }),
      onUnauthorized: () => reauthentication.ask(account),
      fetch: (input, init) => platform.fetch(new Request(input, init)),
      logger: silentLogger,
    });
    const branches = Promise.all(
      Array.from({ length: 3 }, () => client.call(listBranches, { params: { deploymentId: '1' } })),
    );
    await new Promise<void>((resolve) => {
      const listening = accounts.refused.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    await accounts.add(url, platform.apiKey);
    for (const { data } of await branches) expect(data.map(({ name }) => name)).toContain('main');
    expect(asked).toHaveLength(1);
  });
});
