import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { requireNoMerge as RequireNoMerge } from '#compose/account-editors.ts';
import type { linkFolder as LinkFolder } from '#features/folders/vscode/link-folder.ts';
import type { LinkFolderDeps } from '#features/folders/vscode/deps.ts';

interface Uri {
  readonly fsPath: string;
}

/** A window with one folder, and a user who chooses the row with this label. */
const host = vi.hoisted(() => ({
  folder: '',
  choose: undefined as string | undefined,
  asked: [] as string[][],
  said: [] as unknown[],
  /** The code of the disk’s error, if it refuses every write. */
  refuses: '',
  /** Whether a merge in the folder has begun. */
  begun: false,
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  return {
    ...fake,
    RelativePattern: class {
      readonly baseUri: unknown;
      readonly pattern: string;
      constructor(baseUri: unknown, pattern: string) {
        this.baseUri = baseUri;
        this.pattern = pattern;
      }
    },
    window: {
      ...fake.window,
      showInformationMessage: (...said: readonly unknown[]) => Promise.resolve(void host.said.push(...said)),
      showQuickPick: (items: readonly { readonly label: string; readonly description: string }[]) => {
        host.asked.push(items.map(({ label, description }) => `${label}: ${description}`));
        return Promise.resolve(items.find(({ label }) => label === host.choose));
      },
    },
    workspace: {
      ...fake.workspace,
      get workspaceFolders() {
        return host.folder === '' ? undefined : [{ uri: fake.Uri.file(host.folder) }];
      },
      findFiles: (pattern: { readonly baseUri: Uri; readonly pattern: string }) =>
        Promise.resolve(
          readdirSync(pattern.baseUri.fsPath, { recursive: true })
            .map((name) => String(name).split(path.sep).join('/'))
            .filter((name) => path.posix.matchesGlob(name, pattern.pattern))
            .map((name) => fake.Uri.file(path.posix.join(pattern.baseUri.fsPath, name))),
        ),
      fs: {
        readDirectory: (uri: Uri) => Promise.resolve(readdirSync(uri.fsPath).map((name) => [name, 1])),
        readFile: (uri: Uri) => Promise.resolve(readFileSync(uri.fsPath)),
        stat: async (uri: Uri) => statSync(uri.fsPath),
        writeFile: async (uri: Uri, bytes: Uint8Array) => {
          if (host.refuses !== '') throw Object.assign(new Error(`${host.refuses}: open`), { code: 'Unknown' });
          writeFileSync(uri.fsPath, bytes);
        },
      },
    },
  };
});

let linkFolder: typeof LinkFolder;
let requireNoMerge: typeof RequireNoMerge;
beforeAll(async () => {
  vi.resetModules();
  ({ requireNoMerge } = await import('#compose/account-editors.ts'));
  ({ linkFolder } = await import('#features/folders/vscode/link-folder.ts'));
});
afterAll(() => vi.resetModules());

/** A window in which a merge of a file has begun in the folder with this id only. */
function merging(folderId: string): Parameters<typeof RequireNoMerge>[0] {
  const paths = (id: string): readonly string[] => (id === folderId ? ['model/a.yml'] : []);
  return { sync: { merges: { paths } } } as never;
}

/** Links a folder of these files; what the user was offered, and the `modelPath` that was written. */
async function linked(
  files: Readonly<Record<string, string>>,
  choose?: string,
  project = '',
): Promise<readonly [unknown, unknown]> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'link-folder-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  Object.assign(host, { folder, choose, asked: [] });
  const deps = {
    accounts: { get: () => ({ id: 'a', tenantUrl: 'https://acme.example.com' }) },
    session: { bind: () => Promise.resolve() },
    data: { nameOf: () => 'Shop' },
    requireEnded: (id: string) => void (host.begun && requireNoMerge(merging(id), id, 'it belongs elsewhere')),
  } as unknown as LinkFolderDeps;
  await linkFolder(deps, { accountId: 'a', deploymentId: '1' });
  const file = path.join(folder, project, 'modelbench.json');
  const link = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly modelPath: string })
    : undefined;
  return [host.asked, link?.modelPath];
}

describe('linking a folder', () => {
  it('asks nothing where there is only a model', async () => {
    expect(await linked({ 'model/a.yml': '', 'README.md': '' })).toEqual([[], 'model']);
    expect(await linked({ 'schema/a.js': '' })).toEqual([[], 'schema']);
  });

  it('offers the whole project where configuration or agents lie beside the model', async () => {
    const files = { 'model/a.yml': '', 'cube.py': '', 'agents/rules.yml': '' };
    const offered = ['Data Model Only: model/', 'Whole Project: model/, cube.py, agents/, and everything else'];
    expect(await linked(files, 'Whole Project')).toEqual([[offered], '.']);
    expect(await linked(files, 'Data Model Only')).toEqual([[offered], 'model']);
  });

  it('links nothing when the question is closed', async () => {
    expect((await linked({ 'model/a.yml': '', 'cube.js': '' }))[1]).toBeUndefined();
  });

  it('takes the model folder that the configuration names, and none outside of the folder', async () => {
    const named = (folder: string): Promise<readonly [unknown, unknown]> =>
      linked({ 'cube.js': `module.exports = { schemaPath: '${folder}' };` }, 'Data Model Only');
    expect((await named('./semantic'))[1]).toBe('semantic');
    expect((await named('../elsewhere'))[1]).toBe('model');
  });

  it('goes into the project below that the user chooses, or stays in the folder that is open', async () => {
    const model = 'cubes:\n  - name: a\n    sql_table: a\n';
    const files = {
      'packages/größe #1/model/a.yml': model,
      'packages/größe #1/cube.js': 'module.exports = {};',
      'packages/two/schema/b.yml': model,
      'packages/web/model/user.js': 'module.exports = class User {};',
    };
    const [asked, modelPath] = await linked(files, 'packages/two', 'packages/two');
    expect([(asked as string[][])[0]?.slice(0, 2), modelPath]).toEqual([
      ['packages/größe #1: model', 'packages/two: schema'],
      'schema',
    ]);
    // The user closes the second question: nothing is written anywhere.
    expect((await linked(files, 'packages/größe #1', 'packages/größe #1'))[1]).toBeUndefined();
  });

  it('offers the models that are there where none has a usual name', async () => {
    const files = { 'layer/core/cubes/a.yml': 'cubes:\n  - name: a\n    sql_table: a\n' };
    const offered = ['Data Model Only: layer/core/', 'Whole Project: layer/core/, and everything else'];
    expect(await linked(files, 'Data Model Only')).toEqual([[offered], 'layer/core']);
  });

  it.each(['EROFS', 'EACCES', 'ENOSPC', 'ENOENT'])('says what to check where the disk answers %s', async (code) => {
    host.refuses = code;
    onTestFinished(() => void (host.refuses = ''));
    await expect(linked({ 'model/a.yml': '' })).rejects.toThrow(
      /^“modelbench\.json” could not be written in “link-folder-\w+”\. Check that the folder is still there, that you may write to it, and that its disk is neither read-only nor full\.$/,
    );
  });

  it('asks to finish or undo a merge first, and leaves the link as it is until then', async () => {
    host.begun = true;
    onTestFinished(() => void (host.begun = false));
    const link = JSON.stringify({ tenant: 'https://acme.example.com', deployment: '2', modelPath: 'model' });
    await expect(linked({ 'model/a.yml': '', 'modelbench.json': link })).rejects.toMatchObject({
      message: 'The merge of “a.yml” is not finished, and it belongs elsewhere. Finish or undo the merge first.',
      action: { command: 'modelbench.conflict.merge', argument: { path: 'model/a.yml' } },
    });
    expect(readFileSync(path.join(host.folder, 'modelbench.json'), 'utf8')).toBe(link);
  });

  it('offers to open or clone one where no folder is open, without an error', async () => {
    Object.assign(host, { folder: '', said: [] });
    await linkFolder({} as LinkFolderDeps, undefined);
    expect(host.said).toEqual([
      'Open the folder with your model to link it, or clone a deployment into a new folder.',
      'Open Folder…',
      'Clone Deployment…',
    ]);
  });
});
