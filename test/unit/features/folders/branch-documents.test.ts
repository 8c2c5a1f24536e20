import { describe, expect, it } from 'vitest';
import { BranchDocuments, type DeletedFile } from '#features/folders/branch-documents.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import { UserError } from '#shell/user-error.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A branch with these texts; `broken` cannot be opened, and `stuck` cannot be deleted. */
function scene({ mayWrite = true, agrees = true, broken = '', stuck = '' } = {}) {
  const texts = new Map([
    ['model/cubes/orders.yml', 'cubes: ä'],
    ['model/cubes/users.yml', 'cubes: []'],
    ['model/globals.py', ''],
  ]);
  const files = {
    list: async () => Promise.resolve(new Map([...texts.keys()].map((path) => [path, { path, hash: '', mtime: 7 }]))),
    text: async (_: unknown, path: string) =>
      path === broken ? Promise.reject(new UserError('It is not UTF-8.')) : Promise.resolve(texts.get(path)),
    write: async (_: unknown, path: string, text: string) => Promise.resolve(void texts.set(path, text)),
    remove: async (_: unknown, path: string) => {
      if (path === stuck) return Promise.reject(new UserError('Someone else changed it.'));
      texts.delete(path);
      return Promise.resolve(`trash of ${path}`);
    },
    rename: async (_: unknown, from: string, to: string) => {
      texts.set(to, texts.get(from) ?? '');
      texts.delete(from);
      return Promise.resolve();
    },
  } as unknown as BranchFiles;
  const documents = new BranchDocuments(files, {
    mayWrite: () => mayWrite,
    mayUpload: async () => Promise.resolve(agrees),
  });
  const changed: string[] = [];
  const deleted: (readonly DeletedFile[])[] = [];
  let written = 0;
  documents.onDidChange(({ paths }) => changed.push(...paths));
  documents.onDidDelete((some) => deleted.push(some));
  documents.onDidWrite(() => (written += 1));
  return { documents, texts, changed, deleted, written: () => written };
}

describe('BranchDocuments', () => {
  it('finds files by their bytes, and folders by the files in them', async () => {
    const { documents } = scene();
    const file = { kind: 'file', size: 9, mtime: 7, isReadonly: false };
    expect(await documents.entry(target, 'model/cubes/orders.yml')).toEqual(file);
    expect(await documents.entry(target, 'model/cubes')).toEqual({ kind: 'folder' });
    expect(await documents.entry(target, '')).toEqual({ kind: 'folder' });
    expect(await documents.entry(target, 'model/cub')).toBeUndefined();
  });

  it('lists a file that cannot be opened', async () => {
    const { documents } = scene({ broken: 'model/globals.py' });
    expect(await documents.entry(target, 'model/globals.py')).toMatchObject({ kind: 'file', size: 0 });
    await expect(documents.read(target, 'model/globals.py')).rejects.toThrow('It is not UTF-8.');
  });

  it('names what is directly in a folder', async () => {
    const { documents } = scene();
    expect([...(await documents.names(target, 'model'))]).toEqual([
      ['cubes', 'folder'],
      ['globals.py', 'file'],
    ]);
  });

  it('says why other branches are read-only', async () => {
    const { documents } = scene({ mayWrite: false });
    expect(documents.readonlyReason(target)).toMatch(/^“dev-ada-1” is read-only here/);
    expect(await documents.entry(target, 'model/globals.py')).toMatchObject({ isReadonly: true });
  });

  it('changes nothing before the user agrees to uploads', async () => {
    const { documents, texts, changed } = scene({ agrees: false });
    await expect(documents.remove(target, 'model')).rejects.toThrow('because you did not agree to uploads');
    expect([texts.size, changed]).toEqual([3, []]);
  });

  it('refuses to write what is not text', async () => {
    const { documents, written } = scene();
    await expect(documents.write(target, 'model/a.yml', new Uint8Array([0xff]))).rejects.toThrow(
      'it is not UTF-8 text',
    );
    expect(written()).toBe(0);
  });

  it('keeps a byte order mark, which is part of the file', async () => {
    const { documents, texts } = scene();
    await documents.write(target, 'model/a.yml', bytes('\u{feff}cubes: []'));
    expect(texts.get('model/a.yml')).toBe('\u{feff}cubes: []');
  });

  it('renames each file of a folder', async () => {
    const { documents, texts, written } = scene();
    await documents.rename(target, 'model/cubes', 'model/facts');
    expect([...texts.keys()]).toEqual(['model/globals.py', 'model/facts/orders.yml', 'model/facts/users.yml']);
    expect(written()).toBe(2);
  });

  it('reports what was deleted of a folder also where a later file could not be', async () => {
    const { documents, deleted, changed } = scene({ stuck: 'model/cubes/users.yml' });
    await expect(documents.remove(target, 'model/cubes')).rejects.toThrow('Someone else changed it.');
    const path = 'model/cubes/orders.yml';
    expect(deleted).toEqual([[{ target, path, id: `trash of ${path}` }]]);
    expect(changed).toEqual([path, 'model/cubes/users.yml']);
  });
});
