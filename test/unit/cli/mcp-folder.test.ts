import { mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMcpServer } from '#cli/mcp/server.ts';
import type { Folder } from '#cli/mcp/served-folder.ts';
import { portsOf } from '#cli/ports.ts';
import { folderInRoots, type RootedFolder, watchModel } from '#cli/root-folder.ts';
import { places } from '#support/cli-places.ts';
import { tools } from '#tools/tools.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'modelbench-roots-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, text = `cubes: [{name: ${path.replaceAll(/\W/g, '_')}, sql_table: t}]\n`): void => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};
const uri = (path: string): string => pathToFileURL(join(base, path)).href;

interface Session {
  readonly client: Client;
  /** How often the server said that there are other resources. */
  readonly notices: () => number;
  /** The model files that the server lists. */
  readonly files: () => Promise<readonly string[]>;
  readonly asked: () => number;
}

interface Circumstances {
  /** The client's roots; it has no such capability without them. */
  readonly roots?: () => Promise<readonly string[]>;
  readonly isFixed?: boolean;
  readonly isWatched?: boolean;
}

/** Connects a client to a server that was started in the folder `start`. */
async function session({ roots, isFixed = false, isWatched = false }: Circumstances = {}): Promise<Session> {
  const start = { folder: join(base, 'start'), from: join(base, 'start') };
  mkdirSync(start.folder, { recursive: true });
  const served = ({ folder, from }: RootedFolder): Folder => ({
    ports: portsOf(folder, { ...places(base), folder: from, variables: {} }, 'refuse'),
    watch: isWatched ? watchModel(folder) : undefined,
  });
  const inRoots = (uris: readonly string[]): Folder => served(folderInRoots(uris, '.', start));
  const offered = { tools, pages: [], version: '1', ...served(start), inRoots: isFixed ? undefined : inRoots };
  const server = createMcpServer(offered);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const capabilities = roots ? { roots: { listChanged: true } } : {};
  const client = new Client({ name: 'agent', version: '1' }, { capabilities });
  let [notices, asked] = [0, 0];
  client.setNotificationHandler('notifications/resources/list_changed', () => void (notices += 1));
  if (roots)
    client.setRequestHandler('roots/list', async () => {
      asked += 1;
      return { roots: (await roots()).map((each) => ({ uri: each })) };
    });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => client.close());
  const files = async (): Promise<readonly string[]> =>
    (await client.listResources()).resources.map(({ name }) => name);
  return { client, files, notices: () => notices, asked: () => asked };
}

const add = async ({ client }: Session, path: string): Promise<unknown> =>
  (await client.callTool({ name: 'write', arguments: { path, content: `cubes: [{name: x, sql_table: t}]\n` } }))
    .isError ?? false;

describe('the files that the server for agents lists', () => {
  it('are announced to be others after a tool added or removed one, and only then', async () => {
    write('start/model/a.yml');
    const own = await session();
    expect(own.client.getServerCapabilities()?.resources).toEqual({ listChanged: true });
    expect(await own.files()).toEqual(['model/a.yml']);
    await own.client.callTool({ name: 'check', arguments: {} });
    await own.client.callTool({
      name: 'write',
      arguments: { path: 'model/a.yml', find: 'sql_table: t', replace: 'sql_table: u' },
    });
    expect(await own.files()).toEqual(['model/a.yml']);
    expect(own.notices()).toBe(0);
    expect(await add(own, 'model/b.yml')).toBe(false);
    await expect.poll(own.notices).toBe(1);
    expect(await own.files()).toEqual(['model/a.yml', 'model/b.yml']);
    unlinkSync(join(base, 'start/model/a.yml'));
    await own.client.callTool({ name: 'check', arguments: {} });
    await expect.poll(own.notices).toBe(2);
    expect(await own.files()).toEqual(['model/b.yml']);
  });

  it('are not announced to a client that never listed them', async () => {
    write('start/model/a.yml');
    const [own, other] = [await session(), await session()];
    await other.files();
    expect(await add(own, 'model/b.yml')).toBe(false);
    await other.client.callTool({ name: 'check', arguments: {} });
    await expect.poll(other.notices).toBe(1);
    await own.client.callTool({ name: 'check', arguments: {} });
    expect(own.notices()).toBe(0);
  });

  it('are announced when another program changes the folder', async () => {
    write('start/model/deep/a.yml');
    const own = await session({ isWatched: true });
    expect(await own.files()).toEqual(['model/deep/a.yml']);
    write('start/model/deep/b.yml');
    await expect.poll(own.notices).toBeGreaterThan(0);
    expect(await own.files()).toEqual(['model/deep/a.yml', 'model/deep/b.yml']);
  });

  it('are none where the model is gone, which is announced, too', async () => {
    write('start/model/a.yml');
    const own = await session();
    await own.files();
    rmSync(join(base, 'start'), { recursive: true });
    await own.client.callTool({ name: 'check', arguments: {} });
    await expect.poll(own.notices).toBe(1);
    expect(await own.files()).toEqual([]);
  });
});

describe('the roots of a client', () => {
  it('choose the folder of every tool, and its paths begin there', async () => {
    write('one/notes.txt', 'x');
    write('two/model/b.yml');
    const own = await session({ roots: async () => Promise.resolve([uri('one'), uri('two')]) });
    const { structuredContent } = await own.client.callTool({ name: 'search', arguments: { query: 'model' } });
    expect(structuredContent).toMatchObject({ matches: [{ name: 'two_model_b_yml', path: 'model/b.yml' }] });
    expect(await own.files()).toEqual(['model/b.yml']);
    expect(own.asked()).toBe(1);
  });

  it('are asked for again when they change, and other files are announced', async () => {
    write('one/model/a.yml');
    write('two/model/b.yml');
    let roots = [uri('one')];
    const own = await session({ roots: async () => Promise.resolve(roots) });
    expect(await own.files()).toEqual(['model/a.yml']);
    roots = [uri('two')];
    await own.client.sendRootsListChanged();
    await expect.poll(own.notices).toBe(1);
    expect(await own.files()).toEqual(['model/b.yml']);
    expect(await add(own, 'model/c.yml')).toBe(false);
    await expect.poll(own.notices).toBe(2);
    roots = [];
    write('start/model/s.yml');
    await own.client.sendRootsListChanged();
    await expect.poll(own.notices).toBe(3);
    expect(await own.files()).toEqual(['model/s.yml']);
  });

  it('are not asked for where the client has none, or where the user named a whole path', async () => {
    write('start/model/s.yml');
    write('one/model/a.yml');
    const fixed = await session({ roots: async () => Promise.resolve([uri('one')]), isFixed: true });
    expect([await fixed.files(), fixed.asked()]).toEqual([['model/s.yml'], 0]);
    const without = await session();
    expect(await without.files()).toEqual(['model/s.yml']);
  });

  it('do not count where the client refuses to list them', async () => {
    write('start/model/s.yml');
    const own = await session({ roots: async () => Promise.reject(new Error('no')) });
    expect([await own.files(), own.asked()]).toEqual([['model/s.yml'], 1]);
  });

  it('do not count where the client never lists them', async () => {
    write('start/model/s.yml');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const roots = async (): Promise<never> => {
      isAsked();
      return new Promise(() => undefined);
    };
    const files = (await session({ roots })).files();
    await asked;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await files).toEqual(['model/s.yml']);
  });
});

describe('the folder in roots', () => {
  const start = (): RootedFolder => ({ folder: join(base, 'start'), from: join(base, 'start') });
  const chosen = (roots: readonly string[], wanted = '.'): string => {
    const { folder, from } = folderInRoots(roots, wanted, start());
    expect(folder.startsWith(from)).toBe(true);
    return folder.slice(base.length + 1);
  };

  it('is the first one with a project, else the one of the start, else the first that is there', () => {
    for (const path of ['a', 'b', 'start']) mkdirSync(join(base, path));
    expect(chosen([uri('nowhere'), uri('b'), uri('a')])).toBe('b');
    write('start/model/s.yml');
    expect(chosen([uri('a'), uri('b')])).toBe('start');
    write('b/schema/s.js');
    expect(chosen([uri('a'), uri('b')])).toBe('b');
    write('a/modelbench.json', '{broken');
    expect(chosen([uri('a'), uri('b')])).toBe('a');
  });

  it('is the named one inside of a root, and never outside of it', () => {
    write('ä b #1/shop/model/s.yml');
    write('shop/model/s.yml');
    expect(chosen([uri('ä b #1')], 'shop')).toBe('ä b #1/shop');
    expect(chosen([uri('ä b #1')], './shop/')).toBe('ä b #1/shop');
    expect(chosen([uri('ä b #1')], '../shop')).toBe('start');
    expect(chosen([uri('ä b #1')], 'other')).toBe('start');
  });

  it.each([
    'https://example.com/x',
    'file://elsewhere.example/x',
    'file:///a%2Fb',
    'untitled:x',
    '',
    'not a URI',
    '/plain',
  ])('is the one of the start for the root %j', (root) => {
    expect(chosen([root])).toBe('start');
  });
});
