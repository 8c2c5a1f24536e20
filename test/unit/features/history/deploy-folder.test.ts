import { describe, expect, it } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { Store } from '#base/store.ts';
import { PlanView } from '#features/folders/plan-view.ts';
import { type DeployArgument, deployFolder } from '#features/history/deploy-folder.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { openDesk } from '#support/features.ts';
import { runDirectly } from '#support/operations.ts';
import type { Plan } from '#sync/core/planning/plan.ts';

const linkedTo = (deploymentId: string) => ({
  tenantUrl: 'https://shop.example',
  deploymentId,
  modelPath: 'model',
});
const SHOP = { folderId: 'file:///shop', name: 'shop' };
const STORES = { folderId: 'file:///stores', name: 'stores' };
const NOTES = { folderId: 'file:///notes', name: 'notes', link: undefined, problem: undefined };

const differs: Plan['entries'] = [
  { kind: 'upload', path: 'model/a.yml', reason: 'added', hash: '1', size: 1, expectedRemote: undefined },
];

interface Options {
  /** The names of the linked folders of the window. */
  readonly folders?: readonly string[];
  readonly entries?: Plan['entries'];
  readonly isUploadRefused?: boolean;
  readonly chosen?: string;
  readonly failure?: Error;
}

/** A window with linked folders; `log` is what a deploy did in it. */
async function scene({ folders = ['shop'], entries = [], isUploadRefused = false, chosen, failure }: Options = {}) {
  const { account, data } = await openDesk();
  const deployments = await data.deployments(account.id).get();
  const { id: deploymentId = '' } = deployments.find(({ deployMode }) => deployMode === 'cli') ?? {};
  const target = { accountId: account.id, deploymentId };
  const log: string[] = [];
  const linked = [SHOP, STORES]
    .filter(({ name }) => folders.includes(name))
    .map((folder) => ({ ...folder, link: linkedTo(deploymentId), problem: undefined }));
  const session = {
    links: new Store([...linked, NOTES]),
    foldersOf: (of: typeof target) => (of.deploymentId === deploymentId ? linked : []),
    folder: () => undefined,
    onDidBind: () => ({ dispose: () => undefined }),
    targetOf: () => target,
  };
  const sync = {
    status: new Store({ plan: undefined }),
    configure: ({ saveSync }: { readonly saveSync: boolean }) => log.push(`uploads saved files: ${saveSync}`),
    plan: async () => {
      if (failure) throw failure;
      return Promise.resolve({ target: 't', generation: 1, time: 0, entries, guards: [], unchanged: 0 });
    },
    close: async () => Promise.resolve(void log.push('closed')),
    dispose: () => log.push('disposed'),
  };
  const plan = new PlanView();
  const ports = {
    openSync: async ({ name }: { readonly name: string }, { branchName }: { readonly branchName: string }) => {
      log.push(`opened ${name} with ${branchName}`);
      return Promise.resolve(sync);
    },
    step: {
      data,
      session,
      isProtected: () => false,
      comparison: { clock: systemClock, operations: runDirectly(), plan },
      drafts: new MessageDrafts(),
      host: { say: (said: string) => log.push(said), ended: () => log.push('ended') },
    },
    window: {
      chooseFolder: async (offered: readonly { readonly name: string }[]) => {
        log.push(`offered ${offered.map(({ name }) => name).join(', ')}`);
        return Promise.resolve(offered.find(({ name }) => name === chosen));
      },
      mayUpload: async () => Promise.resolve(!isUploadRefused),
      saveOpenFiles: async ({ name }: { readonly name: string }) => Promise.resolve(void log.push(`saved ${name}`)),
      follow: () => ({ dispose: () => log.push('not followed') }),
      matches: ({ name }: { readonly name: string }) => log.push(`${name} matches`),
    },
  };
  const deploy = async (given?: DeployArgument): Promise<void> => deployFolder(ports as never, given);
  return { deploy, plan, log, target };
}

const opened = (name: string): readonly string[] => [
  `saved ${name}`,
  `opened ${name} with master`,
  'uploads saved files: false',
];
const released = ['not followed', 'closed', 'disposed'];

describe('the folder that is deployed', () => {
  it('is the only linked one, without a question', async () => {
    const { deploy, log } = await scene();
    await deploy();
    expect(log).toEqual([...opened('shop'), 'shop matches', ...released]);
  });

  it('is chosen among several, which are those with a link', async () => {
    const { deploy, log, target } = await scene({ folders: ['shop', 'stores'], chosen: 'stores' });
    await deploy(target);
    expect(log).toEqual(['offered shop, stores', ...opened('stores'), 'stores matches', ...released]);
  });

  it('is the one that a row names', async () => {
    const { deploy, log } = await scene({ folders: ['shop', 'stores'] });
    await deploy({ folderId: STORES.folderId });
    expect(log).toEqual([...opened('stores'), 'stores matches', ...released]);
  });

  it('is none where the user chooses none', async () => {
    const { deploy, log } = await scene({ folders: ['shop', 'stores'] });
    await deploy();
    expect(log).toEqual(['offered shop, stores']);
  });

  it.each([
    ['a folder without a link', { folderId: NOTES.folderId }, undefined],
    ['a deployment without folders', 'other', 'other'],
  ] as const)('cannot be %s', async (_, given, linkTo) => {
    const { deploy, log, target } = await scene();
    const other = { ...target, deploymentId: 'other' };
    const failed = await deploy(given === 'other' ? other : given).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      message: 'No folder of this window is linked to that deployment.',
      isHint: true,
      action: { command: 'modelbench.linkFolder', argument: linkTo && other },
    });
    expect(log).toEqual([]);
  });
});

describe('the deploy of a folder', () => {
  it('saves and opens nothing where the user does not want to upload', async () => {
    const { deploy, log } = await scene({ isUploadRefused: true });
    await deploy();
    expect(log).toEqual([]);
  });

  it('holds the folder until its page is closed', async () => {
    const { deploy, plan, log } = await scene({ entries: differs });
    await deploy();
    expect(log).toEqual(opened('shop'));
    plan.close();
    await expect.poll(() => log).toEqual([...opened('shop'), ...released]);
  });

  it('releases the folder where the comparison fails', async () => {
    const { deploy, plan, log } = await scene({ failure: new Error('The disk is gone.') });
    await expect(deploy()).rejects.toThrow('The disk is gone.');
    expect(plan.open.value).toBeUndefined();
    expect(log).toEqual([...opened('shop'), ...released]);
  });
});
