import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeAction, Location } from 'vscode-languageserver';
import { listFolder, readText, realUri } from '#language-server/node-files.ts';
import { defaultLanguageSettings, languageOptionsChanged } from '#features/language/messages.ts';
import { FoldedDisk } from '#support/language/folded-disk.ts';
import { yaml } from '#support/language/raw.ts';
import { MODERN, Session } from '#support/language/session.ts';

const ORDERS = yaml`
  cubes:
    - name: orders
      sql_table: t
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: state, sql: state, type: strng}
`;
const VIEW = yaml`
  views:
    - name: shop
      cubes:
        - join_path: orders
          includes: [id, missing]
`;

/** The messages that the client shows, by the file's URI. */
function shown(session: Session): Readonly<Record<string, readonly unknown[]>> {
  const all = [...session.diagnostics].flatMap(([uri, { diagnostics }]) =>
    diagnostics.length === 0 ? [] : [[uri, diagnostics.map(({ message }) => JSON.stringify(message))] as const],
  );
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function changed(session: Session, ...uris: readonly string[]): Promise<void> {
  await session.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: uris.map((uri) => ({ uri, type: 2 })),
  });
}

const WRONG_TYPE = [expect.stringContaining('strng')];
const MISSING = [expect.stringContaining('missing')];

describe('a model that can be reached by two paths', () => {
  let folder = '';
  const at = (...path: readonly string[]): string => pathToFileURL(join(folder, ...path)).href;
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const start = async (roots: readonly string[] | undefined, found: readonly string[] = []): Promise<Session> => {
    const disk = {
      listFiles: (root: string) => Promise.resolve(listFolder(new URL(root).pathname)),
      readFile: (uri: string) => Promise.resolve(readText(uri)),
      realUri,
    };
    return Session.start({}, { roots, found }, roots ? [] : [at()], undefined, disk, MODERN);
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'one-file-')));
    write('model/orders.yml', ORDERS);
    write('model/shop.yml', VIEW);
    symlinkSync('model', join(folder, 'link'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has each problem once, whichever of the paths an editor lists', async () => {
    const expected = { [at('model/orders.yml')]: WRONG_TYPE, [at('model/shop.yml')]: MISSING };
    const both = [at('link'), at('model')];
    for (const session of [
      await start(both, both),
      await start([at('model'), at('link')], [at('link')]),
      await start(undefined),
    ]) {
      await expect.poll(() => shown(session)).toEqual(expected);
      session.dispose();
    }
  });

  it('has the problems of an open document where the user has it open', async () => {
    const session = await start([at('model')]);
    await expect
      .poll(() => shown(session))
      .toEqual({ [at('model/orders.yml')]: WRONG_TYPE, [at('model/shop.yml')]: MISSING });
    const uri = await session.open(at('link/shop.yml'), VIEW);
    await expect.poll(() => shown(session)).toEqual({ [at('model/orders.yml')]: WRONG_TYPE, [uri]: MISSING });
    // The model follows what is typed there.
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: VIEW.replace('missing', 'stat') }],
    });
    await expect.poll(() => shown(session)[uri]).toEqual([expect.stringContaining('stat')]);
    const [definition] = await session.request<Location[]>('textDocument/definition', uri, {
      position: { line: 3, character: 20 },
    });
    expect(definition?.uri ?? (definition as unknown as { targetUri: string }).targetUri).toBe(at('model/orders.yml'));
    // Edits are for the document that is open.
    const diagnostics = session.diagnostics.get(uri)?.diagnostics ?? [];
    const actions = await session.request<CodeAction[]>('textDocument/codeAction', uri, {
      range: diagnostics[0]?.range,
      context: { diagnostics },
    });
    const edited = actions.flatMap(({ edit }) => JSON.stringify(edit ?? {}));
    expect(edited.join()).toContain(uri);
    expect(edited.join()).not.toContain(at('model/shop.yml'));
    await session.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await expect
      .poll(() => shown(session))
      .toEqual({ [at('model/orders.yml')]: WRONG_TYPE, [at('model/shop.yml')]: MISSING });
    session.dispose();
  });

  it('is the usual one where both are open', async () => {
    const session = await start([at('model')]);
    const link = await session.open(at('link/shop.yml'), VIEW);
    await expect.poll(() => shown(session)[link]).toEqual(MISSING);
    const own = await session.open(at('model/shop.yml'), VIEW);
    await expect.poll(() => shown(session)).toEqual({ [at('model/orders.yml')]: WRONG_TYPE, [own]: MISSING });
    await session.client.sendNotification('textDocument/didClose', { textDocument: { uri: own } });
    await session.client.sendNotification('textDocument/didClose', { textDocument: { uri: link } });
    await expect.poll(() => shown(session)).toEqual({ [at('model/orders.yml')]: WRONG_TYPE, [own]: MISSING });
    session.dispose();
  });

  it('is one when its folder is added after a document was opened through a link', async () => {
    const session = await start([]);
    const link = await session.open(at('link/shop.yml'), VIEW);
    await session.diagnosticsOf(link, 1);
    await session.client.sendNotification(languageOptionsChanged, {
      roots: [at('model')],
      settings: defaultLanguageSettings,
    });
    await expect.poll(() => shown(session)).toEqual({ [at('model/orders.yml')]: WRONG_TYPE, [link]: MISSING });
    session.dispose();
  });

  it('follows files outside that a link in it leads to', async () => {
    write('shared/users.yml', ORDERS.replace('orders', 'users'));
    write('lonely.yml', ORDERS.replace('orders', 'lonely'));
    symlinkSync(join(folder, 'shared'), join(folder, 'model/shared'));
    symlinkSync(join(folder, 'lonely.yml'), join(folder, 'model/lonely.yml'));
    const session = await start([at('model')]);
    const inModel = [at('model/shared/users.yml'), at('model/lonely.yml')];
    await expect.poll(() => inModel.map((uri) => shown(session)[uri])).toEqual([WRONG_TYPE, WRONG_TYPE]);
    for (const path of ['shared/users.yml', 'lonely.yml']) {
      const uri = await session.open(at(path), ORDERS.replace('orders', path).replace('strng', 'sting'));
      await expect.poll(() => shown(session)[uri]).toEqual(expect.arrayContaining([expect.stringContaining('sting')]));
    }
    expect(inModel.map((uri) => shown(session)[uri])).toEqual([undefined, undefined]);
    // Another program writes a file there.
    write('shared/more.yml', VIEW.replace('shop', 'more'));
    await changed(session, at('shared/more.yml'));
    await expect.poll(() => shown(session)[at('model/shared/more.yml')]).toEqual(MISSING);
    session.dispose();
  });

  it('is two for a link inside of it, as for the engine', async () => {
    symlinkSync('.', join(folder, 'model/inner'));
    mkdirSync(join(folder, 'model/cubes'));
    renameSync(join(folder, 'model/orders.yml'), join(folder, 'model/cubes/orders.yml'));
    symlinkSync('cubes', join(folder, 'model/again'));
    const session = await start([at('model')]);
    await expect
      .poll(() => Object.keys(shown(session)))
      .toEqual([at('model/again/orders.yml'), at('model/cubes/orders.yml'), at('model/shop.yml')]);
    expect(JSON.stringify(shown(session))).toMatch(/more than once|twice|already|duplicate/i);
    session.dispose();
  });
});

describe('a file of a disk that takes names in another case for the same', () => {
  const ROOT = 'file:///ws/Shop/model';
  const started = async (disk: FoldedDisk): Promise<Session> =>
    Session.start({}, { roots: [ROOT] }, [], undefined, disk.host);
  const shop = (): FoldedDisk => {
    const disk = new FoldedDisk();
    disk.write(`${ROOT}/Orders.yml`, ORDERS);
    disk.write(`${ROOT}/shop.yml`, VIEW);
    return disk;
  };
  const before = { [`${ROOT}/Orders.yml`]: WRONG_TYPE, [`${ROOT}/shop.yml`]: MISSING };
  const after = { [`${ROOT}/orders.yml`]: WRONG_TYPE, [`${ROOT}/shop.yml`]: MISSING };

  it.each([
    ['the new name', [`${ROOT}/orders.yml`]],
    ['the old name', [`${ROOT}/Orders.yml`]],
    ['both names', [`${ROOT}/Orders.yml`, `${ROOT}/orders.yml`]],
    ['the folder', [ROOT]],
  ])('is one when only its case changes and the watcher reports %s', async (_, reported) => {
    const disk = shop();
    const session = await started(disk);
    await expect.poll(() => shown(session)).toEqual(before);
    disk.respell(`${ROOT}/orders.yml`);
    await changed(session, ...reported);
    await expect.poll(() => shown(session)).toEqual(after);
    session.dispose();
  });

  it('is one when it is open while its case changes', async () => {
    const disk = shop();
    const session = await started(disk);
    const uri = await session.open(`${ROOT}/Orders.yml`, ORDERS);
    await expect.poll(() => session.diagnostics.get(uri)?.version).toBe(1);
    disk.respell(`${ROOT}/orders.yml`);
    await changed(session, ROOT);
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: `${ORDERS}\n` }],
    });
    await expect.poll(() => session.diagnostics.get(uri)?.version).toBe(2);
    await expect.poll(() => shown(session)).toEqual(before);
    await session.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await expect.poll(() => shown(session)).toEqual(after);
    session.dispose();
  });

  it.each([
    ['file:///ws/SHOP/Model/ORDERS.yml'],
    ['file:///WS/Shop/model/Orders.yml'],
    ['file:///ws/Shop/model/oRDERS.yml'],
  ])('belongs to its model when it is opened as %s', async (uri) => {
    const session = await started(shop());
    await session.open(uri, ORDERS);
    await expect.poll(() => shown(session)).toEqual({ [uri]: WRONG_TYPE, [`${ROOT}/shop.yml`]: MISSING });
    session.dispose();
  });

  it('belongs to its model in either Unicode form', async () => {
    const disk = shop();
    const [composed, decomposed] = ['é', 'e\u0301'].map((letter) => `${ROOT}/caf${encodeURIComponent(letter)}.yml`) as [
      string,
      string,
    ];
    disk.write(decomposed, VIEW.replace('shop', 'cafe'));
    const session = await started(disk);
    await expect.poll(() => shown(session)[decomposed]).toEqual(MISSING);
    await session.open(composed, VIEW.replace('shop', 'cafe'));
    await expect.poll(() => [shown(session)[composed], shown(session)[decomposed]]).toEqual([MISSING, undefined]);
    session.dispose();
  });
});
