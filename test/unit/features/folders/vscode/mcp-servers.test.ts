import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '#features/accounts/accounts.ts';
import { DisposableStore } from '#base/disposable.ts';
import { Store } from '#base/store.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import type { mcpServersContribution as Contribution } from '#features/folders/vscode/mcp-servers.ts';
import { localisedManifest } from '#support/manifest.ts';

interface Server {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
interface Provider {
  readonly onDidChangeMcpServerDefinitions: (listener: () => void) => unknown;
  readonly provideMcpServerDefinitions: () => readonly Server[];
  readonly resolveMcpServerDefinition: (server: Server) => Promise<Server>;
}

/** What the host has of the API. */
const host = vi.hoisted(() => ({ lm: {} as Record<string, unknown> }));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  class McpStdioServerDefinition {
    cwd: unknown;
    readonly label: string;
    readonly command: string;
    readonly args: readonly string[];
    env: object;
    constructor(label: string, command: string, args: readonly string[], env: object) {
      [this.label, this.command, this.args, this.env] = [label, command, args, env];
    }
  }
  return { ...fake, lm: host.lm, McpStdioServerDefinition };
});

const account: Account = { id: 'a', tenantUrl: 'https://acme.example', label: 'acme', source: 'stored' };
const link = { tenantUrl: 'https://acme.example', deploymentId: '1', modelPath: 'model' };
const shop: LinkedFolder = { folderId: 'file:///work/shop', name: 'shop', link, problem: undefined };
const remote: LinkedFolder = { folderId: 'vscode-vfs:///work/far', name: 'far', link, problem: undefined };
const plain: LinkedFolder = { folderId: 'file:///work/plain', name: 'plain', link: undefined, problem: undefined };

describe('the servers for agents of a window', () => {
  let contribution: typeof Contribution;
  let registered: [string, Provider][];
  beforeAll(() => vi.resetModules());
  afterAll(() => vi.resetModules());
  beforeEach(async () => {
    registered = [];
    host.lm['registerMcpServerDefinitionProvider'] = (id: string, provider: Provider): object => {
      registered.push([id, provider]);
      return { dispose: () => undefined };
    };
    ({ mcpServersContribution: contribution } = await import('#features/folders/vscode/mcp-servers.ts'));
  });

  async function opened({ isSignedIn = true, isTrusted = true } = {}) {
    const links = new Store<readonly LinkedFolder[]>([shop, remote, plain]);
    const refresh = vi.fn(() => Promise.resolve());
    await contribution({
      accounts: {
        all: new Store([account]),
        get: () => (isSignedIn ? account : undefined),
        key: () => Promise.resolve('secret-key'),
      },
      context: {
        extension: { packageJSON: { version: '1.2.3' } },
        extensionUri: { scheme: 'file', path: '/ext', toString: () => 'file:///ext' },
      } as never,
      data: { deployments: () => ({ refresh }) } as never,
      isTrusted: new Store(isTrusted),
      session: { links, targetOf: () => ({ accountId: 'a', deploymentId: '1' }) },
    }).register(new DisposableStore());
    return { links, refresh, provider: registered[0]?.[1] };
  }

  it('are registered under the name of the manifest', async () => {
    await opened();
    const { contributes } = JSON.parse(localisedManifest()) as {
      readonly contributes: { readonly mcpServerDefinitionProviders: readonly { readonly id: string }[] };
    };
    const named = contributes.mcpServerDefinitionProviders;
    expect(registered.map(([id]) => id)).toEqual(named.map(({ id }) => id));
  });

  it('are one for each linked folder on a disk, without a key', async () => {
    const { provider } = await opened();
    const servers = provider?.provideMcpServerDefinitions() ?? [];
    expect(servers).toMatchObject([
      {
        label: 'Modelbench: shop',
        command: process.execPath,
        args: ['/ext/dist/cli.js', 'mcp', '--folder', '/work/shop'],
        env: { ELECTRON_RUN_AS_NODE: '1', MODELBENCH_CONTEXT: '' },
      },
    ]);
    expect(JSON.stringify(servers)).not.toContain('secret-key');
  });

  it('get the key and the tenant of the folder’s account when they start, and a token that is still good', async () => {
    const { provider, refresh } = await opened();
    const [server] = provider?.provideMcpServerDefinitions() ?? [];
    const { env, args } = (server && (await provider?.resolveMcpServerDefinition(server))) ?? {};
    expect(env).toEqual({
      ELECTRON_RUN_AS_NODE: '1',
      MODELBENCH_CONTEXT: '',
      MODELBENCH_API_KEY: 'secret-key',
      MODELBENCH_TENANT_URL: 'https://acme.example',
    });
    expect(JSON.stringify(args)).not.toContain('secret-key');
    expect(refresh).toHaveBeenCalledOnce();
    expect(JSON.stringify(provider?.provideMcpServerDefinitions())).not.toContain('secret-key');
  });

  it('start without a key where the user is signed out', async () => {
    const { provider } = await opened({ isSignedIn: false });
    const [server] = provider?.provideMcpServerDefinitions() ?? [];
    expect((server && (await provider?.resolveMcpServerDefinition(server)))?.env).toEqual({
      ELECTRON_RUN_AS_NODE: '1',
      MODELBENCH_CONTEXT: '',
    });
  });

  it('are listed again when folders are linked', async () => {
    const { provider, links } = await opened();
    const changed = vi.fn();
    provider?.onDidChangeMcpServerDefinitions(changed);
    links.set([plain]);
    expect(changed).toHaveBeenCalledOnce();
    expect(provider?.provideMcpServerDefinitions()).toEqual([]);
  });

  it('are none in a window that is not trusted, and where the host has no such API', async () => {
    expect((await opened({ isTrusted: false })).provider?.provideMcpServerDefinitions()).toEqual([]);
    registered = [];
    delete host.lm['registerMcpServerDefinitionProvider'];
    await opened();
    expect(registered).toEqual([]);
  });
});
