import * as api from '#api/resources/branches.ts';
import { deleteDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import type { Platform } from '#platform/app.ts';
import { errorOf, openPlatform, refusalOf, send } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };
const dev = 'dev-ada-1';
const file = 'model/notes.yml';

async function openInDevMode(parent = 'main'): Promise<Platform> {
  const platform = await openPlatform();
  await send(platform, api.startDevMode, { params, body: { branchName: parent } });
  return platform;
}

const write = (platform: Platform, path: string, content: string, branchName = dev) =>
  send(platform, writeDataModelFiles, { params, body: { branchName, files: [{ path, content }] } });
const commit = (platform: Platform, message = 'Change notes', branchName = dev) =>
  send(platform, api.commit, { params, body: { branchName, message } });
const pull = (platform: Platform, branchName = dev) => send(platform, api.pull, { params, body: { branchName } });
const head = async (platform: Platform, branch: string): Promise<string> =>
  (await platform.control.git(1, 'rev-parse', branch)).trim();

describe('commit', () => {
  it("commits the working copy under the caller's name and pushes it to the parent", async () => {
    const platform = await openInDevMode();
    const before = await head(platform, 'main');
    await write(platform, file, 'one\n');
    expect(await head(platform, dev)).toBe(before);
    const { status, value } = await commit(platform, 'Add notes\n\nTwo words.');
    expect(status).toBe(200);
    expect(value.lastHash).toBe(await head(platform, dev));
    expect(await head(platform, 'main')).toBe(value.lastHash);
    expect(await platform.control.git(1, 'log', '-1', '--format=%an <%ae>%n%B', 'main')).toBe(
      'ada <ada@shop.example>\nAdd notes\n\nTwo words.\n\n',
    );
    expect(await platform.control.git(1, 'show', `main:${file}`)).toBe('one\n');
  });

  it('includes deletions and files that a .gitignore names', async () => {
    const platform = await openInDevMode();
    await write(platform, '.gitignore', '*.log\n');
    await write(platform, 'kept.log', 'kept');
    await send(platform, deleteDataModelFiles, { params, body: { branchName: dev, files: [{ path: 'README.md' }] } });
    await commit(platform);
    const files = (await platform.control.git(1, 'ls-tree', '-r', '--name-only', 'main')).split('\n');
    expect(files).toContain('kept.log');
    expect(files).not.toContain('README.md');
  });

  it('keeps the bytes of files whatever the repository says of their line ends', async () => {
    const platform = await openInDevMode();
    await write(platform, '.gitattributes', '* text=auto eol=crlf ident\n');
    await write(platform, file, 'a\r\nb\n$Id$\n');
    const before = await platform.control.hashes(1, dev);
    await commit(platform);
    expect(await platform.control.hashes(1, 'main')).toEqual(before);
    await platform.control.colleagueCommit(1, 'main', { 'other.txt': 'x' });
    await pull(platform);
    expect(await platform.control.hashes(1, dev)).toEqual({ ...before, 'other.txt': expect.any(String) as string });
  });

  it('answers 409 when the parent has moved, and loses nothing', async () => {
    const platform = await openInDevMode();
    await write(platform, file, 'mine');
    await platform.control.colleagueCommit(1, 'main', { 'model/theirs.yml': 'theirs' });
    const [before, main] = [await head(platform, dev), await head(platform, 'main')];
    const refused = await commit(platform);
    expect(refused.status).toBe(409);
    expect(errorOf(refused)).toContain('pull, then commit');
    expect([await head(platform, dev), await head(platform, 'main')]).toEqual([before, main]);
    expect(await platform.control.readFile(1, dev, file)).toBe('mine');
    expect((await pull(platform)).status).toBe(200);
    expect((await commit(platform)).status).toBe(200);
    expect(await platform.control.readFile(1, 'main', 'model/theirs.yml')).toBe('theirs');
    expect(await platform.control.readFile(1, 'main', file)).toBe('mine');
  });

  it('refuses when there is nothing to commit', async () => {
    const platform = await openInDevMode();
    const refused = await commit(platform);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toBe(`There is nothing to commit on "${dev}".`);
  });
});

describe('pull', () => {
  it("merges a colleague's lines with uncommitted ones in the same file", async () => {
    const platform = await openPlatform();
    const lines = (first: string, last: string): string => `${first}\n${'-\n'.repeat(8)}${last}\n`;
    await platform.control.colleagueCommit(1, 'main', { [file]: lines('a', 'z') });
    await send(platform, api.startDevMode, { params, body: { branchName: 'main' } });
    await write(platform, file, lines('mine', 'z'));
    await platform.control.colleagueCommit(1, 'main', { [file]: lines('a', 'theirs') });
    const { status, value } = await pull(platform);
    expect(status).toBe(200);
    expect(value.lastHash).toBe(await head(platform, 'main'));
    expect(await platform.control.readFile(1, dev, file)).toBe(lines('mine', 'theirs'));
    // Still uncommitted: the branch's own commit does not have it.
    expect(await platform.control.git(1, 'show', `${dev}:${file}`)).toBe(lines('a', 'theirs'));
  });

  it('takes deletions, and keeps a file that only I have', async () => {
    const platform = await openInDevMode();
    await write(platform, file, 'mine');
    await platform.control.colleagueCommit(1, 'main', { 'README.md': null });
    await pull(platform);
    const files = await platform.control.hashes(1, dev);
    expect(files['README.md']).toBeUndefined();
    expect(files[file]).toBeDefined();
  });

  it('answers 409 with the paths on a conflict, and changes nothing', async () => {
    const platform = await openInDevMode();
    await write(platform, file, 'mine');
    await platform.control.colleagueCommit(1, 'main', { [file]: 'theirs' });
    const before = await platform.control.hashes(1, dev);
    const answer = await pull(platform);
    expect(answer).toMatchObject({ status: 409, body: { conflicts: [file] } });
    expect(await platform.control.hashes(1, dev)).toEqual(before);
    expect(api.conflictPaths(answer.body)).toEqual([file]);
  });

  it('says so when there is nothing new', async () => {
    const platform = await openInDevMode();
    expect((await pull(platform)).value.message).toBe('Already up to date with main.');
  });

  it('refuses the deploy branch, which has no parent', async () => {
    const platform = await openInDevMode();
    expect((await pull(platform, 'main')).status).toBe(400);
  });
});

describe('merge', () => {
  it('refuses uncommitted work, and says so', async () => {
    const platform = await openInDevMode();
    await write(platform, file, 'mine');
    for (const operation of [api.merge, api.mergeToDefault]) {
      const refused = await send(platform, operation, { params, body: { branchName: dev } });
      expect(refused.status).toBe(409);
      expect(errorOf(refused)).toContain('uncommitted changes');
    }
  });

  it('brings a shared branch into its parent with a merge commit', async () => {
    const platform = await openPlatform();
    const { sharedBranch } = platform.control.demo;
    const [main, shared] = [await head(platform, 'main'), await head(platform, sharedBranch)];
    const { status } = await send(platform, api.merge, { params, body: { branchName: sharedBranch } });
    expect(status).toBe(200);
    const parents = (await platform.control.git(1, 'log', '-1', '--format=%P', 'main')).trim().split(' ');
    expect(parents).toEqual([main, shared]);
    expect(await platform.control.readFile(1, 'main', 'model/views/pricing.yml')).toContain('pricing');
  });

  it('squashes to one commit, deletes the branch and leaves dev mode when it is asked to', async () => {
    const platform = await openInDevMode('pricing-experiments');
    await write(platform, file, 'mine');
    await commit(platform);
    const body = { branchName: dev, squashCommits: true, deleteBranch: true, switchToParentBranch: true };
    expect((await send(platform, api.merge, { params, body })).status).toBe(200);
    const { value } = await send(platform, api.listBranches, { params });
    expect(value.data.map(({ name }) => name)).not.toContain(dev);
    expect((await platform.control.git(1, 'branch', '--list', dev)).trim()).toBe('');
  });

  it('moves nothing when the branch that is to be deleted must stay', async () => {
    const platform = await openInDevMode('pricing-experiments');
    const before = await head(platform, 'main');
    const body = { branchName: 'pricing-experiments', deleteBranch: true };
    const refused = await send(platform, api.merge, { params, body });
    expect(refused.status).toBe(409);
    expect(errorOf(refused)).toContain(`is the parent of "${dev}"`);
    expect(await head(platform, 'main')).toBe(before);
  });

  it('answers a real conflict with 409 and its paths, and moves no branch', async () => {
    const platform = await openPlatform();
    const { sharedBranch } = platform.control.demo;
    await platform.control.colleagueCommit(1, sharedBranch, { [file]: 'theirs', 'model/b.yml': 'x' });
    await platform.control.colleagueCommit(1, 'main', { [file]: 'ours', 'model/b.yml': 'y' });
    const before = await head(platform, 'main');
    for (const operation of [api.merge, api.mergeToDefault]) {
      const answer = await send(platform, operation, { params, body: { branchName: sharedBranch } });
      expect(answer).toMatchObject({ status: 409, body: { conflicts: ['model/b.yml', file] } });
    }
    expect(await head(platform, 'main')).toBe(before);
  });

  it('moves a dev branch of a shared branch to the default branch, and removes it on request', async () => {
    const platform = await openInDevMode('pricing-experiments');
    await write(platform, file, 'mine');
    await commit(platform);
    const body = { branchName: dev, message: 'Release notes', removeBranchAfterMerge: true };
    const { status, value } = await send(platform, api.mergeToDefault, { params, body });
    expect(status).toBe(200);
    expect(value).toMatchObject({ branchName: 'main', lastHash: await head(platform, 'main') });
    expect(await platform.control.readFile(1, 'main', file)).toBe('mine');
    expect((await platform.control.git(1, 'branch', '--list', dev)).trim()).toBe('');
  });

  it('refuses a branch into itself', async () => {
    const platform = await openPlatform();
    expect((await send(platform, api.mergeToDefault, { params, body: { branchName: 'main' } })).status).toBe(400);
  });
});

describe('branches', () => {
  const create = (platform: Platform, body: { name: string; parentBranch?: string }) =>
    send(platform, api.createBranch, { params, body });

  it('begin at the head of their parent', async () => {
    const platform = await openPlatform();
    const { sharedBranch } = platform.control.demo;
    const { value } = await create(platform, { name: 'feature/x', parentBranch: sharedBranch });
    expect(value).toMatchObject({
      name: 'feature/x',
      parentBranch: sharedBranch,
      lastHash: await head(platform, sharedBranch),
      isStagingEnvironmentEnabled: false,
    });
  });

  it.each(['a..b', 'a b', '-a', '/a', 'a/', 'a//b', 'a.lock', 'HEAD', '@', 'a@{b', '.a', 'a.'])(
    'cannot be named %j',
    async (name) => {
      const platform = await openPlatform({ seed: 'demo' });
      expect(refusalOf(await create(platform, { name }))).toBe(
        `400 "${name}" cannot be the name of a branch: use letters, digits, ".", "_", "-" and "/".`,
      );
    },
  );

  it('cannot be named like dev-mode branches', async () => {
    const platform = await openPlatform();
    expect(refusalOf(await create(platform, { name: 'dev-mine' }))).toBe(
      '400 Names that begin with "dev-" are kept for dev-mode branches: choose another name.',
    );
  });

  it('need a name that is free, and that is not the folder of one', async () => {
    const platform = await openPlatform();
    expect((await create(platform, { name: 'main' })).status).toBe(409);
    expect((await create(platform, { name: 'main/x' })).status).toBe(409);
  });

  it('go unless another one needs them', async () => {
    const platform = await openInDevMode('pricing-experiments');
    const remove = (branchName: string) => send(platform, api.deleteBranch, { params, query: { branchName } });
    expect((await remove('main')).status).toBe(400);
    expect((await remove('pricing-experiments')).status).toBe(409);
    expect((await remove('dev-grace-1')).status).toBe(403);
    expect((await remove(dev)).status).toBe(204);
    expect((await remove('pricing-experiments')).status).toBe(204);
    expect((await remove('pricing-experiments')).status).toBe(404);
  });
});
