import { beforeEach, describe, expect, it } from 'vitest';
import { derived } from '#base/derived.ts';
import type { Account, Accounts } from '#features/accounts/accounts.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import { SaveChoices } from '#features/folders/save-choice.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { ForkPoints } from '#features/platform/branch-relation.ts';
import { PlatformData } from '#features/platform/platform-data.ts';
import { Session } from '#features/platform/session.ts';
import { memoryAccounts } from '#support/features.ts';
import { MemoryPushSetting } from '#support/push-setting.ts';
import { MemoryState } from '#support/memory-state.ts';

const url = 'https://acme.example.com';
let accounts: Accounts;
let account: Account;
let session: Session;
let data: PlatformData;

/** A platform with one deployment that has no environments. */
const answers: Readonly<Record<string, unknown>> = {
  listDeployments: {
    data: { deployments: [{ id: '1', name: 'shop' }] },
    pagination: { offset: 0, limit: 100, total: 1 },
  },
  listEnvironments: { data: { environments: [] }, pagination: { offset: 0, limit: 100, total: 0 } },
  listEmbedTenants: { data: [] },
};
const call = ({ id }: { readonly id: string }): Promise<unknown> => Promise.resolve(answers[id]);

const target = () => ({ accountId: account.id, deploymentId: '1' });
const branch = (branchName: string) => ({ ...target(), branchName });

beforeEach(async () => {
  ({ accounts } = memoryAccounts());
  account = await accounts.add(url, 'key');
  session = new Session({ accounts, window: new MemoryState(), userState: new MemoryState() });
  data = new PlatformData({ accounts, connect: () => ({ call }) as never });
});

/** What a view shows before and after a change. */
async function shown<T>(view: () => T, change: () => unknown): Promise<readonly [T, T]> {
  const store = derived(view);
  const before = store.value;
  await change();
  await Promise.resolve();
  return [before, store.value];
}

describe('a view that names none of its inputs', () => {
  it('shows the dev branch that becomes active', async () => {
    const enter = () => session.enter(branch('dev-ada'));
    expect(await shown(() => session.activeBranch(target()), enter)).toEqual([undefined, 'dev-ada']);
  });

  it('shows another account of a linked folder', async () => {
    const other = await accounts.add(url, 'other key', 'as a robot');
    const folder = {
      folderId: 'file:///shop',
      name: 'shop',
      link: { tenantUrl: url, deploymentId: '1', modelPath: 'model' },
      problem: undefined,
    };
    const bind = () => session.bind(folder.folderId, other.id);
    expect(await shown(() => session.targetOf(folder)?.accountId, bind)).toEqual([account.id, other.id]);
  });

  it('shows the name of a deployment once the list is there', async () => {
    const load = () => data.deployments(account.id).refresh();
    expect(await shown(() => data.nameOf(target()), load)).toEqual(['1', 'shop']);
  });

  it('shows what is opened of a deployment after nothing was known of it', async () => {
    const load = () => data.of(target()).environments.refresh();
    const view = () => data.known(target())?.environments.value;
    expect(await shown(view, load)).toEqual([undefined, []]);
  });

  it('shows nothing of an account that is signed out', async () => {
    await data.deployments(account.id).refresh();
    const view = () => data.knownDeployments(account.id)?.length;
    expect(await shown(view, () => accounts.remove(account.id))).toEqual([1, undefined]);
  });

  it('shows a step that stopped', async () => {
    const attempts = new GitAttempts(new MemoryState());
    const stop = () =>
      attempts.stopped(branch('dev-ada'), { paths: ['a.yml'], message: 'conflict' }, { step: 'pull', from: 'main' });
    const view = () => attempts.of(branch('dev-ada'))?.files.length;
    expect(await shown(view, stop)).toEqual([undefined, 1]);
  });

  it('shows what the user chose for saved files', async () => {
    const choices = new SaveChoices(new MemoryPushSetting(), new MemoryState());
    const choose = () => choices.choose(true);
    expect(await shown(() => choices.of('file:///shop'), choose)).toEqual([undefined, true]);
  });

  it('shows where a branch left its parent', async () => {
    const forks = new ForkPoints(new MemoryState());
    const rows = [
      { name: 'main', lastHash: 'abc' },
      { name: 'dev-ada', lastHash: 'abc', parentBranch: 'main' },
    ];
    const note = () => forks.note(target(), rows as never, new Set(['dev-ada']));
    expect(await shown(() => forks.of(target()).get('dev-ada'), note)).toEqual([undefined, 'abc']);
  });

  it('shows a list of the administration that is opened', async () => {
    const admin = new AdminData({ data: { client: () => ({ call }) as never }, state: new MemoryState() });
    const open = () => admin.of(account.id, { list: 'embedTenants' }).refresh();
    const view = () => admin.known(account.id, { list: 'embedTenants' })?.state.value.value?.items.length;
    expect(await shown(view, open)).toEqual([undefined, 0]);
  });
});
