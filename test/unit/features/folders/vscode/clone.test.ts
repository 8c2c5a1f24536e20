import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CancelledError } from '#base/async.ts';
import type { cloneDeployment as CloneDeployment } from '#features/folders/vscode/clone.ts';
import type { CloneDeps } from '#features/folders/vscode/deps.ts';
import { Operations } from '#shell/operations.ts';
import { linkFolder } from '#support/sync/linked-folder.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import type { SyncPorts } from '#sync/core/ports.ts';

interface Uri {
  readonly fsPath: string;
}

/** The folder that the user chooses, the ones that are open, and what the window says. */
const host = vi.hoisted(() => ({ parent: '', open: [] as string[], said: [] as string[] }));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const uris = (): unknown[] => host.open.map((folder) => ({ uri: fake.Uri.file(folder) }));
  return {
    ...fake,
    window: {
      ...fake.window,
      showOpenDialog: () => Promise.resolve([fake.Uri.file(host.parent)]),
      showInformationMessage: (text: string) => Promise.resolve(void host.said.push(text)),
      showQuickPick: (items: readonly unknown[]) => Promise.resolve(items[0]),
      setStatusBarMessage: (text: string) => void host.said.push(text),
    },
    workspace: {
      ...fake.workspace,
      get workspaceFolders() {
        return uris();
      },
      fs: {
        createDirectory: async (uri: Uri) => void mkdirSync(uri.fsPath, { recursive: true }),
        readDirectory: async (uri: Uri) => readdirSync(uri.fsPath).map((name) => [name, 1]),
        readFile: async (uri: Uri) => readFileSync(uri.fsPath),
        writeFile: async (uri: Uri, bytes: Uint8Array) => writeFileSync(uri.fsPath, bytes),
        stat: async (uri: Uri) => Promise.resolve(readFileSync(uri.fsPath)),
        delete: async (uri: Uri) => {
          if (readdirNames(uri) === undefined) rmSync(uri.fsPath);
          else rmdirSync(uri.fsPath);
          return Promise.resolve();
        },
      },
    },
  };
});

function readdirNames({ fsPath }: Uri): readonly string[] | undefined {
  try {
    return readdirSync(fsPath);
  } catch {
    return undefined;
  }
}

let cloneDeployment: typeof CloneDeployment;
beforeAll(async () => {
  vi.resetModules();
  ({ cloneDeployment } = await import('#features/folders/vscode/clone.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => {
  const parent = mkdtempSync(path.join(tmpdir(), 'clone-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  Object.assign(host, { parent, open: [], said: [] });
});

const [orders, users] = ['model/cubes/orders.yml', 'model/users.yml'] as const;

/** How a pull ends after it has written these files; `meanwhile` gets the folder. */
interface End {
  readonly status: SyncOutcome['status'] | 'thrown' | 'unreachable';
  readonly files?: readonly string[];
  readonly meanwhile?: (folder: string) => void;
}

/** Clones with a pull that ends like this; resolves to the rejection, if any. */
async function clone({ status, files = [], meanwhile }: End): Promise<unknown> {
  return cloneWith(({ folderId }) => {
    const folder = folderId.replace('file://', '');
    if (status === 'unreachable') return Promise.reject(new Error('offline'));
    return Promise.resolve({
      plan: () => Promise.resolve({ entries: files.map(planned) }),
      pull: () => {
        const applied = files.map((file) => write(folder, file));
        meanwhile?.(folder);
        if (status === 'thrown') return Promise.reject(new CancelledError());
        return Promise.resolve({ status, applied, message: 'Two files could not be read.' });
      },
      close: () => Promise.resolve(),
      dispose: () => undefined,
    });
  });
}

async function cloneWith(
  openSync: (folder: { readonly folderId: string }) => Promise<unknown>,
  signal = new AbortController().signal,
  branch: Readonly<Record<string, string>> = { [orders]: '' },
): Promise<unknown> {
  const deps = {
    accounts: { get: () => ({ id: 'a', tenantUrl: 'https://acme.example.com' }) },
    session: { activeBranch: () => undefined, bind: () => Promise.resolve() },
    data: {
      nameOf: () => 'Shop',
      of: () => ({
        branches: {
          get: () => Promise.resolve([{ name: 'main', parentBranch: undefined, lastHash: 'a', staging: false }]),
        },
      }),
    },
    operations: new Operations(async (_label, _cancellable, work) => work({ signal, report: () => undefined })),
    openSync,
  };
  const list = {
    list: () => Promise.resolve(new Map(Object.keys(branch).map((name) => [name, {}]))),
    text: (_: unknown, name: string) => {
      const text = branch[name];
      return text === undefined || text === 'unreadable'
        ? Promise.reject(new Error('unreadable'))
        : Promise.resolve(text);
    },
  };
  const target = { accountId: 'a', deploymentId: '1' };
  return cloneDeployment(deps as unknown as CloneDeps, list as never, target).catch((error: unknown) => error);
}

function write(folder: string, file: string) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), file);
  return planned(file);
}

const planned = (file: string) => ({
  kind: 'download',
  path: file,
  hash: createHash('sha1').update(file).digest('hex'),
});

const left = (): readonly string[] => readdirSync(host.parent, { recursive: true }).map(String).toSorted();

describe('a clone', () => {
  it('leaves its folder with link and files once it is done', async () => {
    expect(await clone({ status: 'done', files: [orders] })).toBeUndefined();
    expect(left()).toEqual([
      'shop',
      'shop/model',
      'shop/model/cubes',
      'shop/model/cubes/orders.yml',
      'shop/modelbench.json',
    ]);
  });

  it.each([
    ['the folder that cube.py names', { 'cube.py': "config.schema_path = 'layer'", 'layer/a.yml': '' }, 'layer'],
    ['the usual folder where cube.py cannot be read', { 'cube.py': 'unreadable', [orders]: '' }, 'model'],
    [
      'the model of a project below',
      { 'apps/one/model/a.js': 'cube(`A`, { sql: `SELECT 1` })', 'apps/one/cube.js': 'unreadable' },
      'apps/one/model',
    ],
    ['the model of another name', { 'layer/cubes/a.yml': 'cubes:\n  - name: a\n    sql_table: a\n' }, 'layer'],
  ] as const)('links %s', async (_name, branch, modelPath) => {
    const opened: unknown[] = [];
    await cloneWith(
      (folder) => {
        opened.push((folder as { readonly link?: { readonly modelPath: string } }).link?.modelPath);
        return Promise.resolve({
          plan: () => Promise.resolve({ entries: [] }),
          pull: () => Promise.resolve({ status: 'done', applied: [], message: '' }),
          close: () => Promise.resolve(),
          dispose: () => undefined,
        });
      },
      undefined,
      branch,
    );
    const link = JSON.parse(readFileSync(path.join(host.parent, 'shop/modelbench.json'), 'utf8')) as unknown;
    expect([link, opened]).toEqual([expect.objectContaining({ modelPath }), [modelPath]]);
  });

  it.each([
    ['cancelled in the middle', { status: 'cancelled', files: [orders, users] }],
    ['cancelled before the first file', { status: 'thrown' }],
    ['that never reached the platform', { status: 'unreachable' }],
    ['that was refused', { status: 'refused' }],
  ] as const)('leaves nothing behind when it was %s', async (_name, end) => {
    await clone(end);
    expect(left()).toEqual([]);
  });

  // Files are first written beside their names, several at a time, then moved there, then recorded.
  it.each([1, 2, 7, 12, 13, 16, 20])(
    'leaves nothing behind when it was cancelled at step %i of the real pull',
    async (last) => {
      const linked = await linkFolder();
      Object.assign(host, { parent: linked.root, open: [linked.root] });
      const stopped = new AbortController();
      let steps = 0;
      const step = (): void => {
        steps += 1;
        if (steps === last) stopped.abort(new CancelledError());
      };
      const cancelling = (ports: SyncPorts): SyncPorts => {
        const files = new Proxy(ports.files, {
          get:
            (target, name: keyof SyncPorts['files']) =>
            (...args: never[]) => {
              if (name === 'stage' || name === 'replace' || name === 'sync') step();
              return (target[name] as (...given: never[]) => unknown).apply(target, args);
            },
        });
        return { ...ports, files };
      };
      await cloneWith(() => linked.open({}, cancelling), stopped.signal);
      expect(steps).toBeGreaterThanOrEqual(last);
      expect([existsSync(host.parent), left()]).toEqual([true, []]);
    },
  );

  it('removes only what it made where the open, empty folder is the clone', async () => {
    host.open = [host.parent];
    await clone({ status: 'cancelled', files: [orders] });
    expect([existsSync(host.parent), left()]).toEqual([true, []]);
  });

  it('leaves what was made or changed by someone else, and its folder', async () => {
    const meanwhile = (folder: string): void => {
      writeFileSync(path.join(folder, users), 'mine');
      writeFileSync(path.join(folder, 'notes.txt'), 'mine');
    };
    await clone({ status: 'cancelled', files: [orders, users], meanwhile });
    expect(left()).toEqual(['shop', 'shop/model', 'shop/model/users.yml', 'shop/notes.txt']);
  });

  it('says that it was cancelled, and does not offer to open its folder', async () => {
    expect(await clone({ status: 'cancelled', files: [orders] })).toBeUndefined();
    expect(host.said).toEqual(['$(circle-slash) Clone cancelled: its files and its folder were removed']);
  });

  it('keeps its files where some could not be read, and says how to go on', async () => {
    const error = await clone({ status: 'partial', files: [orders] });
    expect(left()).toContain('shop/modelbench.json');
    expect(String(error)).toMatch(/Two files could not be read\. Open “shop” and pull to continue\./);
  });
});
