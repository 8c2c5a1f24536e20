import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncCommands } from '#features/changes/vscode/sync-commands.ts';
import { User } from '../../../../vscode/user.ts';
import * as vscode from 'vscode';
import { Store } from '#base/store.ts';
import { isCancelled } from '#base/async.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { commands as table, syncCommands as area } from '#shell/commands/commands.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { escape, pick } from '../../../../vscode/answers.ts';

const [shop, finance] = ['file:///shop', 'file:///finance'] as const;

/** The folders that a command acted on: it used their sync, or named them to another service. */
let acted: Set<string>;
let user: User;
beforeEach(() => {
  acted = new Set();
  user = new User();
});
afterEach(() => user.leave());

/** Stands for every other service: it can be read and called, and notes the folders that it is given. */
const services: object = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : services),
  apply: (_, __, given: readonly unknown[]) => {
    const text = given.map((each) => (typeof each === 'object' && each ? namesOf(each) : String(each))).join(' ');
    for (const folder of [shop, finance]) if (text.includes(nameOf(folder))) acted.add(folder);
    return services;
  },
});

const nameOf = (folderId: string): string => folderId.slice('file:///'.length);

function namesOf(given: object): string {
  return Object.values(given)
    .map((value) => (typeof value === 'string' ? value : ''))
    .join(' ');
}

function sessionOf(folderId: string): SyncSession {
  const name = nameOf(folderId);
  const status = { paused: [], localChanges: [], remoteChanges: [], conflicts: [] };
  const reached = (): never => {
    acted.add(folderId);
    throw new Error('The command has reached its folder.');
  };
  // What is read before the folder is chosen: both folders have something to undo.
  const history = async (): Promise<readonly object[]> =>
    Promise.resolve(['push', 'pull'].map((action) => ({ id: action, action, applied: [{}] })));
  const maintenance = new Proxy({}, { get: (_, key) => (key === 'history' ? history : reached()) });
  const known: Readonly<Record<string, unknown>> = { status: new Store(status), maintenance };
  const sync = new Proxy({}, { get: (_, key) => known[String(key)] ?? reached() });
  const target = { accountId: 'a', deploymentId: name, branchName: `dev-${name}-1` };
  return { folder: { folderId, name }, target, sync } as unknown as SyncSession;
}

/** The commands of a window in which these folders of two linked ones are on a dev branch. */
function commandsOf(...open: readonly string[]): Readonly<Record<string, (argument?: unknown) => unknown>> {
  const sessions = open.map(sessionOf);
  const links = [shop, finance].map((folderId) => ({ folderId, name: nameOf(folderId), link: {} }));
  const folders = {
    syncs: {
      all: new Store(sessions),
      ofFolder: (folderId: string) => sessions.find(({ folder }) => folder.folderId === folderId),
      problem: () => undefined,
    },
    session: { links: new Store(links), targetOf: () => undefined },
    accounts: { all: new Store([{}]) },
    isTrusted: new Store(true),
  };
  const deploys = {
    transfers: { data: deployments, consent: { obtain: async () => Promise.resolve(true) } },
    session: {
      links: folders.session.links,
      foldersOf: ({ deploymentId }: DeploymentTarget) =>
        folders.session.links.value.filter(({ name }) => name === deploymentId),
      targetOf: ({ name }: { readonly name: string }) => ({ accountId: 'a', deploymentId: name }),
    },
    openSync: async ({ folderId }: { readonly folderId: string }, target: BranchTarget) => {
      // The folder is compared with the branch of its own deployment.
      const isOwn = target.branchName === `${nameOf(folderId)}-production`;
      acted.add(isOwn ? folderId : `${folderId} with ${target.branchName}`);
      return Promise.reject(new Error('The command has reached its folder.'));
    },
  };
  const deps = { folders, transfers: services, trash: services, branches: services, deploys };
  return syncCommands({
    ...deps,
    conflicts: services,
    putBack: services,
    pushMode: services,
  } as never) as never;
}

async function run(
  commands: ReturnType<typeof commandsOf>,
  id: string,
  argument: unknown,
  ...answers: Parameters<User['answering']> extends readonly [unknown, ...infer Rest] ? Rest : never
): Promise<string> {
  let failure = '';
  await user.answering(
    async () => {
      try {
        await commands[id]?.(argument);
      } catch (error) {
        if (!isCancelled(error)) failure = String(error);
      }
    },
    ...answers,
  );
  return failure;
}

const listed = [shop, finance].map((id) => ({ id: nameOf(id), name: nameOf(id), deployMode: 'cli' }));

/** The deployments of both folders, each with a deploy branch of its own. */
const deployments = {
  deployments: () => ({ ensure: async () => Promise.resolve(), get: async () => Promise.resolve(listed) }),
  client: () => ({
    call: async (_: unknown, { params }: { readonly params?: DeploymentTarget }) =>
      Promise.resolve(
        params ? { data: [{ name: `${params.deploymentId}-production` }] } : { data: { deployments: listed } },
      ),
  }),
  nameOf: ({ deploymentId }: DeploymentTarget) => deploymentId,
};

/** Each command that acts on a linked folder, and takes it from a row or asks for it. */
const ids = Object.keys(area).filter((id) => table[id as keyof typeof area].read({ folderId: shop }) !== undefined);
/** It needs no dev branch. */
const deploy = 'modelbench.deploy';

describe('a window with two linked folders on dev branches', () => {
  it('has commands for folders', () => {
    expect(ids).toEqual([
      'modelbench.push',
      'modelbench.pullFiles',
      'modelbench.sync.pause',
      'modelbench.sync.resume',
      'modelbench.sync.sendWaiting',
      'modelbench.sync.choosePush',
      'modelbench.sync.putBack',
      deploy,
      'modelbench.plan.dryRun',
      'modelbench.plan.dryRunJson',
      'modelbench.trash.restore',
      'modelbench.sync.history',
      'modelbench.sync.undoPush',
      'modelbench.sync.undoPull',
      'modelbench.sync.verify',
    ]);
  });

  it.each(ids)('acts on the folder of the row, and asks for none: %s', async (id) => {
    await run(commandsOf(shop, finance), id, { folderId: finance });
    expect([...acted]).toEqual([finance]);
    expect(user.asked).not.toBe('Which linked folder?');
  });

  it.each(ids.filter((id) => !/dryRun|restore/.test(id)))('acts on the folder that the user picks: %s', async (id) => {
    await run(commandsOf(shop, finance), id, undefined, pick('finance'));
    expect([...acted]).toEqual([finance]);
  });

  it.each(ids.filter((id) => !/dryRun|restore/.test(id)))('does nothing where the user picks none: %s', async (id) => {
    await run(commandsOf(shop, finance), id, undefined, escape);
    expect([user.asked, ...acted]).toEqual([
      id === deploy ? 'Which folder do you want to deploy?' : 'Which linked folder?',
    ]);
  });

  it.each([shop, finance])('deploys the folder of the deployment that a row names: %s', async (folderId) => {
    await run(commandsOf(shop, finance), deploy, { accountId: 'a', deploymentId: nameOf(folderId) });
    expect([...acted]).toEqual([folderId]);
  });

  it('deploys no folder to a deployment that none is linked to', async () => {
    const failure = await run(commandsOf(shop, finance), deploy, { accountId: 'a', deploymentId: 'other' });
    expect([failure, ...acted]).toEqual([expect.stringContaining('No folder of this window is linked')]);
  });
});

describe('a window in which only one of two linked folders is on a dev branch', () => {
  it('deploys the folder of the row, which needs no dev branch', async () => {
    await run(commandsOf(shop), deploy, { folderId: finance });
    expect([...acted]).toEqual([finance]);
  });

  it.each(ids.filter((id) => id !== deploy))('never acts on it for the row of the other one: %s', async (id) => {
    const failure = await run(commandsOf(shop), id, { folderId: finance });
    expect([...acted]).toEqual([]);
    expect(failure).toMatch(/“finance”/);
  });
});

const documentBranch = { accountId: 'a', deploymentId: '1', branchName: 'dev-1' };
const version = { id: '1', path: 'model/a.yml', time: 1, size: 1, cause: 'branchEdit', deleted: false };

/** Runs the command of the palette beside a document of a branch; answers whose trashes it read last, and what it asked. */
async function restore(held: { readonly branch: boolean; readonly folder: boolean }, answer?: number) {
  const shown: string[] = [];
  const restored = {
    activeTextEditor: { document: { uri: 'modelbench:/dev-1/model/a.yml' } },
    showInformationMessage: async (text: string) => Promise.resolve(void shown.push(text)),
    showQuickPick: async (items: readonly object[], { placeHolder }: { readonly placeHolder: string }) => {
      shown.push(placeHolder);
      return Promise.resolve(answer === undefined ? undefined : items[answer]);
    },
    createQuickPick: () => {
      let title = '';
      const on = {
        onDidTriggerButton: () => undefined,
        onDidTriggerItemButton: () => undefined,
        onDidAccept: () => undefined,
      };
      return {
        ...on,
        set title(text: string) {
          title = text;
        },
        onDidHide: (listener: () => void) => listener(),
        show: () => void shown.push(title),
        dispose: () => undefined,
      };
    },
  };
  const { window } = vscode;
  const before = Object.getOwnPropertyDescriptors(window);
  for (const [name, value] of Object.entries(restored))
    Object.defineProperty(window, name, { value, configurable: true });
  const sync = { trashed: async () => Promise.resolve(held.folder ? [version] : []) };
  const session = { folder: { folderId: 'file:///shop', name: 'shop' }, target: documentBranch, sync };
  const folders = { syncs: { all: new Store([session]), ofFolder: () => session }, isTrusted: new Store(true) };
  const trash = {
    remote: { targetOf: () => documentBranch },
    branchTrash: { list: async () => Promise.resolve(held.branch ? [version] : []) },
  };
  const handlers = syncCommands({
    folders,
    trash,
    transfers: {},
    branches: {},
    deploys: {},
    conflicts: { ofFolder: {}, ofStep: {} },
  } as never);
  try {
    await handlers['modelbench.trash.restore'](undefined, undefined);
  } finally {
    for (const name of Object.keys(restored)) Reflect.deleteProperty(window, name);
    Object.defineProperties(window, before);
  }
  return shown;
}

describe('restoring from the trash beside a document of a branch', () => {
  it('takes the trash that holds something, and asks where both do', async () => {
    expect(await restore({ branch: true, folder: false })).toEqual(['Restore from Trash: dev-1']);
    expect(await restore({ branch: false, folder: true })).toEqual(['Restore from Trash: shop']);
    expect(await restore({ branch: true, folder: true }, 0)).toEqual(['Which trash?', 'Restore from Trash: dev-1']);
    expect(await restore({ branch: true, folder: true }, 1)).toEqual(['Which trash?', 'Restore from Trash: shop']);
    expect(await restore({ branch: true, folder: true })).toEqual(['Which trash?']);
  });

  it('says that the trash of the branch is empty where none holds anything', async () => {
    expect(await restore({ branch: false, folder: false })).toEqual([expect.stringContaining('“dev-1” is empty')]);
  });
});
