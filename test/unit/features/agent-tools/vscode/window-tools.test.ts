import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Capabilities, noCapabilities, readCapabilities } from '#api/description/capabilities.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { UploadConsent } from '#features/folders/upload-consent.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import type { WindowTools as Tools } from '#features/agent-tools/vscode/window-tools.ts';
import { portsOf } from '#cli/ports.ts';
import { demo } from '#platform/seed/names.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { places } from '#support/cli-places.ts';
import { MemoryState } from '#support/memory-state.ts';
import { openSyncDesk, type SyncDesk } from '#support/sync-desk.ts';
import { ToolError } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';
import { yaml } from '#support/language/raw.ts';

interface OpenDocument {
  readonly isDirty: boolean;
  readonly uri: { readonly scheme: string; readonly fsPath: string };
  readonly getText: () => string;
}

/** What the window has open. */
const editors = vi.hoisted(() => ({
  documents: [] as OpenDocument[],
  workspaceFolder: undefined as string | undefined,
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const workspace = {
    ...fake.workspace,
    get textDocuments() {
      return editors.documents;
    },
    getWorkspaceFolder: () =>
      editors.workspaceFolder === undefined ? undefined : { uri: fake.Uri.file(editors.workspaceFolder) },
  };
  return { ...fake, workspace };
});

const orders = yaml`
  cubes:
    - name: returns
      sql_table: returns
      measures:
        - name: count
          type: count
`;

describe('the tools for agents of a window', () => {
  let desk: SyncDesk;
  let dev: BranchTarget;
  let WindowTools: typeof Tools;
  let window: Tools;
  let folder: string;
  const confirmStep = vi.fn<ConfirmStep>();
  const capabilitiesOf = vi.fn<(accountId: string) => Promise<Capabilities>>();
  beforeAll(async () => {
    vi.resetModules();
    ({ WindowTools } = await import('#features/agent-tools/vscode/window-tools.ts'));
  });
  afterAll(() => vi.resetModules());
  beforeEach(async () => {
    editors.documents = [];
    editors.workspaceFolder = undefined;
    confirmStep.mockReset().mockResolvedValue(undefined);
    desk = await openSyncDesk();
    capabilitiesOf.mockReset().mockImplementation(async (id) => readCapabilities(desk.data.client(id)));
    const { accounts, account, data, session, syncs, isTrusted } = desk;
    const target = { accountId: account.id, deploymentId: String(demo.shop) };
    dev = await startDevMode(desk, { ...target, branchName: 'main' });
    await syncs.reconcile();
    folder = fileURLToPath(session.links.value[0]?.folderId ?? '');
    const consent = new UploadConsent({ data, userState: new MemoryState() });
    await consent.accept(target);
    const environment = { ...places(folder), variables: {} };
    window = new WindowTools(
      {
        accounts,
        capabilitiesOf,
        data,
        session,
        isTrusted,
        consent,
        confirmStep,
        syncing: {
          syncs,
          openSync: async (_folder, { branchName }) => Promise.reject(new Error(`Opens ${branchName}.`)),
        },
      },
      async () =>
        Promise.resolve({
          tools,
          portsOf: (path, from) => portsOf(path, { ...environment, folder: from }, 'refuse'),
          dataClient: () => {
            throw new Error('Nothing is queried here.');
          },
          usageError: (message) => new ToolError('usage', message),
        }),
    );
  });

  const run = async (name: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    window.run(name, input, new AbortController().signal);

  it('read the folder with what its editors hold', async () => {
    desk.write('model/cubes/returns.yml', orders);
    expect(await run('search', { query: 'returns.count' })).toContain('model/cubes/returns.yml:5');
    editors.documents = [
      {
        isDirty: true,
        uri: { scheme: 'file', fsPath: `${folder}/model/cubes/returns.yml` },
        getText: () => orders.replace('name: count', 'name: how_many'),
      },
    ];
    expect(await run('search', { query: 'returns.count' })).toContain('No name');
    expect(await run('search', { query: 'returns.how_many' })).toContain('model/cubes/returns.yml:5');
  });

  it('show paths as the workspace folder has them', async () => {
    desk.write('model/cubes/returns.yml', orders);
    editors.workspaceFolder = dirname(folder);
    expect(await run('search', { query: 'returns.count' })).toMatch(/ {2}[\w-]+\/model\/cubes\/returns\.yml:5/);
    expect(await run('push')).toMatch(/^push: add [\w-]+\/model\/cubes\/returns\.yml$/m);
  });

  it('leave a file alone that has unsaved changes', async () => {
    desk.write('model/cubes/returns.yml', orders);
    const path = 'model/cubes/returns.yml';
    editors.documents = [
      { isDirty: true, uri: { scheme: 'file', fsPath: `${folder}/${path}` }, getText: () => orders },
    ];
    for (const spelled of [path, `./${path}`, `${folder}/${path}`, 'model/../model/cubes/returns.yml'])
      await expect(run('write', { path: spelled, remove: true })).rejects.toThrow(/unsaved changes/);
    expect(desk.read(path)).toBe(orders);
  });

  it('use the account of the window, and say what is missing without one', async () => {
    expect(await run('status')).toMatch(/^1 {2}.+\nProduction: main/);
    await desk.accounts.remove(desk.account.id);
    await expect(run('status')).rejects.toThrow(/not signed in/);
  });

  it('do not ask for what the server does not list', async () => {
    await desk.session.select(dev);
    expect(await run('validate', { branch: 'main' })).toContain('is valid');
    capabilitiesOf.mockResolvedValue(noCapabilities);
    await expect(run('validate', { branch: 'main' })).rejects.toThrow(/does not offer “validate data model”/);
    expect(await run('branches')).toContain('main');
  });

  it('ask the platform also where no folder is open', async () => {
    await desk.session.select(dev);
    desk.session.setLinks([]);
    expect(await run('status')).toMatch(/^1 {2}.+\nProduction: main/);
    await expect(run('check')).rejects.toThrow(/No folder of this computer is open/);
    await expect(run('push')).rejects.toThrow(/not linked/);
  });

  it('push through the sync of the window, after the user agreed to uploads', async () => {
    desk.write('model/cubes/returns.yml', orders);
    expect(await run('push')).toContain('push: add model/cubes/returns.yml');
    expect(await desk.platform.control.readFile(demo.shop, dev.branchName, 'model/cubes/returns.yml')).toBeUndefined();
    await run('push', { yes: true });
    expect(await desk.platform.control.readFile(demo.shop, dev.branchName, 'model/cubes/returns.yml')).toBe(orders);
  });

  describe('push what was compared to where it was compared, or nothing, where', () => {
    const relink = async (deploymentId: string | undefined): Promise<void> => {
      const [linked] = desk.session.links.value;
      const link = linked?.link && deploymentId !== undefined ? { ...linked.link, deploymentId } : undefined;
      desk.session.setLinks(linked ? [{ ...linked, link }] : []);
      await desk.syncs.reconcile();
    };
    const chooseBranch = async (): Promise<void> => {
      await startDevMode(desk, { ...dev, branchName: 'returns-model' });
      await desk.syncs.reconcile();
    };

    it.each([
      [
        'the folder is linked to another deployment',
        async () => relink(String(demo.cli)),
        /has changed since this began/,
      ],
      ['the folder is linked to nothing', async () => relink(undefined), /has changed since this began/],
      ['its account is signed out', async () => desk.accounts.remove(desk.account.id), /has changed since this began/],
      // The branch was named, so it does not matter which one the window shows.
      ['another branch is chosen', chooseBranch, /^Error: Opens (?!returns-model)/],
    ])('%s before the comparison', async (_name, change, says) => {
      const path = 'model/cubes/returns.yml';
      desk.write(path, orders);
      const { control } = desk.platform;
      const fetch = desk.platform.fetch.bind(desk.platform);
      const after: string[] = [];
      let isChanged = false;
      Object.assign(desk.platform, {
        fetch: async (request: Request) => {
          const { pathname } = new URL(request.url);
          if (isChanged && request.method !== 'GET') after.push(`${request.method} ${pathname}`);
          if (!isChanged && pathname.endsWith('/branches')) {
            isChanged = true;
            await change();
          }
          return fetch(request);
        },
      });
      const ended = await run('push', { yes: true, branch: dev.branchName }).catch((error: unknown) => String(error));
      expect(ended).toMatch(says);
      expect(await control.readFile(demo.shop, dev.branchName, path)).toBeUndefined();
      expect(after.filter((write) => !write.endsWith('/dev-mode'))).toEqual([]);
    });
  });

  it('commit to production only after the user typed its name on the page', async () => {
    desk.write('model/cubes/returns.yml', orders);
    await run('push', { yes: true });
    const head = async (): Promise<string> => desk.platform.control.git(demo.shop, 'rev-parse', 'main');
    const before = await head();
    expect(await run('commit', { message: 'Add returns' })).toContain('Nothing was changed yet');
    expect(confirmStep).not.toHaveBeenCalled();
    await expect(run('commit', { message: 'Add returns', yes: true })).rejects.toThrow(
      /not confirmed.*unless the user asks/,
    );
    expect(await head()).toBe(before);
    const [target, question] = confirmStep.mock.calls[0] ?? [];
    expect(target).toEqual({ ...dev });
    expect(question).toMatchObject({ title: 'Commit to main (production)?', typed: desk.data.nameOf(dev) });
    confirmStep.mockImplementation(async (_target, asked) =>
      Promise.resolve({ question: asked, input: { message: '', options: [], typed: '' } }),
    );
    expect(await run('commit', { message: 'Add returns', yes: true })).toContain('Committed');
    expect(await head()).not.toBe(before);
  });

  it('only read the folder in Restricted Mode', async () => {
    desk.isTrusted.set(false);
    desk.write('model/cubes/returns.yml', orders);
    expect(await run('check')).toContain('No problems');
    for (const name of ['status', 'write', 'push', 'commit'])
      await expect(run(name, { path: 'model/a.yml', content: '', message: 'x' })).rejects.toThrow(/Restricted Mode/);
  });

  it('are asked about as their risk demands', async () => {
    expect(await window.prepared('check', {})).toEqual({ doing: 'Check Data Model', confirmation: undefined });
    expect(await window.prepared('commit', { message: 'Add returns', yes: true })).toMatchObject({
      confirmation: { title: 'Commit Dev Branch', message: expect.stringContaining('message: Add returns') as string },
    });
  });
});
