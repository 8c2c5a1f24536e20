import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import { startDevMode } from '#api/resources/branches.ts';
import * as api from '#api/resources/data-model.ts';
import type { Platform } from '#platform/app.ts';
import { PathError, repositoryPath } from '#platform/git/paths.ts';
import { openPlatform, refusalOf, send } from '#support/platform.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };
const branchName = 'dev-ada-1';
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

async function openInDevMode(): Promise<Platform> {
  const platform = await openPlatform();
  await send(platform, startDevMode, { params, body: { branchName: 'main' } });
  return platform;
}

type Files = readonly { readonly path: string; readonly content: string }[];
const write = (platform: Platform, files: Files, headers: Record<string, string> = {}) =>
  send(platform, api.writeDataModelFiles, { params, body: { branchName, files: [...files] }, headers });

describe('file hashes', () => {
  it('use the SHA-1 of the raw bytes, in the working copy and in a committed branch alike', async () => {
    const platform = await openInDevMode();
    const content = 'naïve\r\n\ttext ✓ without a last line end';
    await write(platform, [{ path: '/model/odd name.yml', content }]);
    const { value } = await send(platform, api.getFileHashes, { params, query: { branchName } });
    expect(value.files['model/odd name.yml']).toEqual({ hash: sha1(content) });
    const main = await send(platform, api.getFileHashes, { params, query: { branchName: 'main' } });
    const orders = await platform.control.git(1, 'show', 'main:model/cubes/orders.yml');
    expect(main.value.files['model/cubes/orders.yml']).toEqual({ hash: sha1(orders) });
  });

  it('default to the active dev branch, and to the deploy branch when there is none', async () => {
    const platform = await openInDevMode();
    await write(platform, [{ path: 'model/mine.yml', content: 'mine' }]);
    const mine = await send(platform, api.getFileHashes, { params });
    expect(Object.keys(mine.value.files)).toContain('model/mine.yml');
    const { colleague } = platform.control.demo.keys;
    const theirs = await send(platform, api.getFileHashes, { params, key: colleague });
    expect(Object.keys(theirs.value.files)).not.toContain('model/mine.yml');
  });
});

describe('listing files', () => {
  it('answers a nested tree, with content where it is asked for', async () => {
    const platform = await openInDevMode();
    await write(platform, [{ path: 'model/deep/er/a.yml', content: 'a' }]);
    const bare = await send(platform, api.listDataModelFiles, { params, query: { branchName } });
    const full = await send(platform, api.listDataModelFiles, { params, query: { branchName, withContent: true } });
    const find = (tree: api.FileNode) => api.filesOf(tree).find(({ path }) => path === '/model/deep/er/a.yml');
    expect(find(bare.value)).toEqual({ path: '/model/deep/er/a.yml', content: undefined });
    expect(find(full.value)).toEqual({ path: '/model/deep/er/a.yml', content: 'a' });
    expect(bare.value).toMatchObject({ path: '/', type: 'directory' });
  });
});

describe('writing', () => {
  it('changes many files in one request, all or none', async () => {
    const platform = await openInDevMode();
    const files = Array.from({ length: 200 }, (_, at) => ({ path: `model/many/${at}.yml`, content: `# ${at}` }));
    expect((await write(platform, files)).status).toBe(204);
    const before = await platform.control.hashes(1, branchName);
    expect(Object.keys(before).filter((path) => path.startsWith('model/many/'))).toHaveLength(200);
    const refused = await write(platform, [
      { path: 'model/good.yml', content: 'x' },
      { path: 'model/../../bad.yml', content: 'x' },
    ]);
    expect(refusalOf(refused)).toBe(
      '400 files.1.path: "model/../../bad.yml" must not contain empty, "." or ".." parts.',
    );
    expect(await platform.control.hashes(1, branchName)).toEqual(before);
  });

  it('refuses a path that would be a file and a folder at once', async () => {
    const platform = await openInDevMode();
    const answer = await write(platform, [{ path: 'model/cubes/orders.yml/more.yml', content: 'x' }]);
    expect(answer).toMatchObject({ status: 409, body: { conflicts: ['model/cubes/orders.yml'] } });
    expect((await write(platform, [{ path: 'model/cubes', content: 'x' }])).status).toBe(409);
  });

  it('refuses a file named twice in one request', async () => {
    const platform = await openInDevMode();
    const twice = await write(platform, [
      { path: 'a', content: '1' },
      { path: '/a', content: '2' },
    ]);
    expect(twice.status).toBe(400);
  });

  it('names the field of a request that is wrong', async () => {
    const platform = await openInDevMode();
    const body = { branchName, files: [{ path: 'a', content: 7 as unknown as string }] };
    const answer = await send(platform, api.writeDataModelFiles, { params, body });
    expect(refusalOf(answer)).toBe('400 files.0.content: must be text');
  });
});

describe('conditional writes', () => {
  it('write only over the version that was expected', async () => {
    const platform = await openInDevMode();
    await write(platform, [{ path: 'model/a.yml', content: 'one' }]);
    const stale = await write(platform, [{ path: 'model/a.yml', content: 'two' }], { 'If-Match': `"${sha1('zero')}"` });
    expect(stale).toMatchObject({ status: 412, body: { files: { 'model/a.yml': { hash: sha1('one') } } } });
    expect(await platform.control.readFile(1, branchName, 'model/a.yml')).toBe('one');
    const fresh = await write(platform, [{ path: 'model/a.yml', content: 'two' }], { 'If-Match': `"${sha1('one')}"` });
    expect(fresh.status).toBe(204);
  });

  it('create only what does not exist with If-None-Match: *', async () => {
    const platform = await openInDevMode();
    const create = () => write(platform, [{ path: 'model/new.yml', content: 'x' }], { 'If-None-Match': '*' });
    expect((await create()).status).toBe(204);
    expect((await create()).status).toBe(412);
  });

  it('take one tag a file, in their order', async () => {
    const platform = await openInDevMode();
    await write(platform, [{ path: 'model/a.yml', content: 'one' }]);
    const both: Files = [
      { path: 'model/a.yml', content: 'two' },
      { path: 'model/b.yml', content: 'new' },
    ];
    expect((await write(platform, both, { 'If-Match': `"${sha1('one')}"` })).status).toBe(400);
    expect((await write(platform, both, { 'If-Match': `"${sha1('one')}", "-"` })).status).toBe(204);
    expect((await write(platform, both, { 'If-Match': `"${sha1('two')}", "-"` })).status).toBe(412);
  });
});

describe('deleting and renaming', () => {
  it('deletes files and the folders that are empty then', async () => {
    const platform = await openInDevMode();
    await write(platform, [{ path: 'model/deep/er/a.yml', content: 'a' }]);
    const remove = () =>
      send(platform, api.deleteDataModelFiles, {
        params,
        body: { branchName, files: [{ path: '/model/deep/er/a.yml' }] },
      });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    // The folder is gone: its name is free for a file.
    expect((await write(platform, [{ path: 'model/deep', content: 'now a file' }])).status).toBe(204);
  });

  it('renames, also in a ring, and refuses a name that is taken', async () => {
    const platform = await openInDevMode();
    await write(platform, [
      { path: 'model/a.yml', content: 'a' },
      { path: 'model/b.yml', content: 'b' },
    ]);
    const rename = (files: { path: string; newPath: string }[]) =>
      send(platform, api.renameDataModelFiles, { params, body: { branchName, files } });
    expect((await rename([{ path: 'model/a.yml', newPath: 'model/b.yml' }])).status).toBe(409);
    expect((await rename([{ path: 'model/none.yml', newPath: 'model/c.yml' }])).status).toBe(404);
    const down = [
      { path: 'model/b.yml', newPath: 'model/c/b.yml' },
      { path: 'model/a.yml', newPath: 'model/b.yml' },
    ];
    expect((await rename(down)).status).toBe(204);
    const read = (path: string) => platform.control.readFile(1, branchName, path);
    expect([await read('model/a.yml'), await read('model/b.yml'), await read('model/c/b.yml')]).toEqual([
      undefined,
      'a',
      'b',
    ]);
  });
});

describe('repository paths', () => {
  it.each(['', '/', 'a//b', '../a', 'a/../b', './a', '.git/config', 'a/.GIT/x', String.raw`a\b`, 'a\u0000b', 'a/'])(
    'refuse %j',
    (path) => expect(() => repositoryPath(path)).toThrow(PathError),
  );

  it('stay inside the folder when they are accepted', () => {
    const accepted = (path: string): string | undefined => {
      try {
        return repositoryPath(path);
      } catch (error) {
        if (error instanceof PathError) return undefined;
        throw error;
      }
    };
    const part = fc.oneof(fc.constantFrom('..', '.', '', '.git', 'a', 'b.yml'), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const path = accepted(parts.join('/')) ?? 'refused';
        expect(join('/root', path)).toBe(`/root/${path}`);
        expect(path.split('/').map((name) => name.toLowerCase())).not.toContain('.git');
      }),
      { seed: 20_261_121 },
    );
  });
});
