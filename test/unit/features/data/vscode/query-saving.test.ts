import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Store } from '#base/store.ts';
import type * as Saving from '#features/data/vscode/query-saving.ts';
import type * as SaveQuery from '#features/playground/vscode/save-query.ts';
import * as fake from '#support/fake-vscode.ts';
import { yaml } from '#support/language/raw.ts';

/** Files and folders of the window, by path. */
const files = new Map<string, string>();
const shown: string[] = [];
const folders: { uri: fake.Uri }[] = [];

/** An input that is answered with these texts, until one is accepted, and what it said to each. */
const input = { answers: [] as string[], value: '', said: [] as unknown[] };

class FileNotFound extends Error {
  readonly code = 'FileNotFound';
}

vi.mock('vscode', async () => {
  const { Uri, ...others } = await import('#support/fake-vscode.ts');
  return {
    ...others,
    Uri,
    FileSystemError: FileNotFound,
    workspace: {
      ...others.workspace,
      get workspaceFolders() {
        return folders.length === 0 ? undefined : folders;
      },
      fs: {
        stat: async ({ path }: fake.Uri) => (files.has(path) ? Promise.resolve() : Promise.reject(new Error('absent'))),
        readFile: async ({ path }: fake.Uri) => {
          const text = files.get(path);
          if (text === undefined) throw new FileNotFound();
          return Promise.resolve(new TextEncoder().encode(text));
        },
        writeFile: async ({ path }: fake.Uri, bytes: Uint8Array) =>
          Promise.resolve(void files.set(path, new TextDecoder().decode(bytes))),
      },
    },
    window: {
      ...others.window,
      showTextDocument: async ({ path }: fake.Uri) => Promise.resolve(void shown.push(path)),
      createInputBox: () => inputBox(),
    },
  };
});

function inputBox() {
  let accept: () => Promise<void> = () => Promise.resolve();
  let hide: () => void = () => undefined;
  const off = { dispose: () => undefined };
  return {
    value: '',
    validationMessage: undefined as unknown,
    onDidChangeValue: () => off,
    onDidTriggerButton: () => off,
    onDidHide: (listener: typeof hide) => {
      hide = listener;
      return off;
    },
    onDidAccept: (listener: typeof accept) => {
      accept = listener;
      return off;
    },
    dispose: () => undefined,
    async show() {
      input.value = this.value;
      for (const answer of input.answers) {
        this.value = answer;
        await accept();
        input.said.push(this.validationMessage);
      }
      hide();
    },
  };
}

let openQuerySaving: typeof Saving.openQuerySaving;
let saveQuery: typeof SaveQuery.saveQuery;
beforeAll(async () => {
  vi.resetModules();
  ({ openQuerySaving } = await import('#features/data/vscode/query-saving.ts'));
  ({ saveQuery } = await import('#features/playground/vscode/save-query.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => {
  files.clear();
  shown.splice(0);
  folders.splice(0, folders.length, { uri: fake.Uri.file('/shop') }, { uri: fake.Uri.file('/other') });
  Object.assign(input, { answers: [], value: '', said: [] });
});

const trusted = { isTrusted: new Store(true) };
const linked = (path: string, modelPath: string): Saving.FolderWithModel => ({
  uri: fake.Uri.file(path) as unknown as Saving.FolderWithModel['uri'],
  modelPath,
});
const query = { measures: ['orders.count'], limit: 7 };

describe('a saved query', () => {
  it('is a new file beside the model, which opens; files of the same name stay as they are', async () => {
    files.set('/shop/queries/paid-orders.query.yml', 'theirs');
    const saving = await openQuerySaving(trusted, linked('/shop', 'model'));
    await saving.saveQuery('Paid orders', query);
    await saving.saveQuery('Paid orders', query);
    const content = yaml`
      title: Paid orders
      query:
        measures:
          - orders.count
        limit: 7
    `;
    expect([...files]).toEqual([
      ['/shop/queries/paid-orders.query.yml', 'theirs'],
      ['/shop/queries/paid-orders-2.query.yml', content],
      ['/shop/queries/paid-orders-3.query.yml', content],
    ]);
    expect(shown).toEqual(['/shop/queries/paid-orders-2.query.yml', '/shop/queries/paid-orders-3.query.yml']);
  });

  it.each([
    ['a nested model', linked('/shop', 'apps/model'), undefined, '/shop/apps/queries/a.query.yml'],
    ['a model of another name', linked('/shop', 'cubes'), undefined, '/shop/queries/a.query.yml'],
    ['a project whose configuration names its model', linked('/named', ''), undefined, '/named/queries/a.query.yml'],
    [
      'a project whose configuration misleads',
      linked('/home/misled', ''),
      undefined,
      '/home/queries/misled/a.query.yml',
    ],
    ['a project that is linked as a whole', linked('/whole', ''), undefined, '/whole/queries/a.query.yml'],
    ['the chosen folder of a window without links', undefined, 'file:///other', '/other/queries/a.query.yml'],
    ['the first folder', undefined, 'file:///elsewhere', '/shop/queries/a.query.yml'],
  ])('lies beside the model of %s', async (_, folder, wanted, expected) => {
    files.set('/whole/schema', 'a folder');
    files.set('/named/cube.js', "module.exports = { schemaPath: 'cubes' };");
    files.set('/named/cubes', 'a folder');
    files.set('/home/misled/cube.py', "config.schema_path = '../cubes'");
    files.set('/home/misled/../cubes', 'a folder');
    const saving = await openQuerySaving(trusted, folder, wanted);
    await saving.saveQuery('A', query);
    expect([...files.keys()]).toContain(expected);
  });

  it.each([
    ['a folder “model” that is linked as a whole', '/shop/model', linked('/shop/model', '')],
    ['a folder “model” that is opened without a link', '/shop/model', undefined],
    ['a folder “schema” that is opened without a link', '/shop/schema', undefined],
  ])('lies beside %s', async (_, opened, folder) => {
    folders.splice(0, folders.length, { uri: fake.Uri.file(opened) });
    const saving = await openQuerySaving(trusted, folder, `file://${opened}`);
    await saving.saveQuery('A', query);
    expect([...files.keys()]).toEqual(['/shop/queries/a.query.yml']);
    expect(shown).toEqual(['/shop/queries/a.query.yml']);
  });

  it('has a folder of its own beside a model whose folder has an unusual name', async () => {
    for (const folder of ['/shop/cubes', '/shop/semantic'])
      await (await openQuerySaving(trusted, linked(folder, ''))).saveQuery('A', query);
    expect([...files.keys()]).toEqual(['/shop/queries/cubes/a.query.yml', '/shop/queries/semantic/a.query.yml']);
  });

  it.each([['queries'], ['queries/a.query.yml'], ['apps']])(
    'is refused where the project has a link that leads elsewhere: %s',
    async (link) => {
      const folder = mkdtempSync(join(tmpdir(), 'modelbench-saving-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      mkdirSync(join(folder, 'outside'));
      mkdirSync(dirname(join(folder, 'project', link)), { recursive: true });
      symlinkSync(join(folder, 'outside'), join(folder, 'project', link));
      const modelPath = link === 'apps' ? 'apps/model' : 'model';
      const saving = await openQuerySaving(trusted, linked(join(folder, 'project'), modelPath));
      await expect(saving.saveQuery('A', query)).rejects.toMatchObject({ name: 'UserError' });
      expect([[...files], shown]).toEqual([[], []]);
    },
  );

  it('is refused where the configuration of the project names a folder outside of it', async () => {
    for (const path of ['../../private/model', '../private/model']) {
      files.clear();
      files.set('/home/shop/cube.js', `module.exports = { schemaPath: '${path}' };`);
      for (const folder of ['/private/model', '/home/private/model', `/home/shop/${path}`])
        files.set(folder, 'a folder');
      const before = files.size;
      const saved = await openQuerySaving(trusted, linked('/home/shop', ''))
        .then(
          async (saving) => saving.saveQuery('A', query),
          () => undefined,
        )
        .catch(() => undefined);
      expect(saved).toBeUndefined();
      expect([...files.keys()].slice(before).filter((each) => each.includes('private'))).toEqual([]);
    }
  });

  it('needs a folder, and a trusted window', async () => {
    folders.splice(0);
    await expect(openQuerySaving(trusted, undefined)).rejects.toMatchObject({
      isHint: true,
      message: 'Open the folder of the model first: queries are saved as files of the project.',
    });
    await expect(openQuerySaving({ isTrusted: new Store(false) }, linked('/shop', 'model'))).rejects.toMatchObject({
      isHint: true,
      action: { command: 'modelbench.manageTrust' },
    });
  });

  it('is asked for its title, which is proposed and may not be blank', async () => {
    input.answers = [' ', ' Paid orders '];
    await saveQuery(await openQuerySaving(trusted, linked('/shop', 'model')), query, 'orders.count');
    expect([input.value, input.said[0]]).toEqual(['orders.count', 'Enter a title.']);
    expect(shown).toEqual(['/shop/queries/paid-orders.query.yml']);
  });

  it('is not written where the question for its title is cancelled', async () => {
    await saveQuery(await openQuerySaving(trusted, linked('/shop', 'model')), query, 'orders.count');
    expect([...files.keys()]).toEqual([]);
  });
});
