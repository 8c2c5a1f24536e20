import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { git } from '#platform/git/git.ts';
import { LimitedCache } from '#platform/git/limited-cache.ts';
import { Repository } from '#platform/git/repository.ts';

const cwd = tmpdir();

/** What Git calls a file with these bytes. */
const blobHash = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

describe('a Git command', () => {
  it('gets every byte of its input and gives every byte of its answer, beside others', async () => {
    const inputs = Array.from({ length: 12 }, (_, n) => Buffer.alloc(1 + n * 40_000, n));
    const answers = await Promise.all(inputs.map((input) => git(['hash-object', '--stdin'], { cwd, input })));
    expect(answers.map(({ stdout }) => stdout.toString('utf8').trim())).toEqual(inputs.map(blobHash));
  });

  it('reports its own message when it fails, unless its code is an answer', async () => {
    const wrong = ['hash-object', 'not-there.yml'];
    await expect(git(wrong, { cwd })).rejects.toThrow(/^git hash-object failed \(128\): fatal: .*not-there\.yml/);
    expect(await git(wrong, { cwd, accept: [128] })).toMatchObject({ code: 128, stdout: Buffer.alloc(0) });
  });

  it('says what is missing when it cannot be started', async () => {
    const env = { PATH: '/nowhere' };
    await expect(git(['--version'], { cwd, env })).rejects.toThrow(
      'The git command could not be started: install Git.',
    );
    expect((await git(['--version'], { cwd })).stdout.toString('utf8')).toMatch(/^git version /);
  });
});

const author = { name: 'Ada', email: 'ada@example.com', date: 0 };

/** A repository with two branches, of which `feature/one` has another `b.yml` and no `c/d.yml`. */
async function twoBranches(): Promise<Repository> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const repository = new Repository(folder);
  await repository.init('main');
  const files = { 'a.yml': 'a\n', 'b.yml': 'b\r\n', 'c/d.yml': 'd' };
  await repository.import([
    { branch: 'main', files, message: 'First', author },
    { branch: 'feature/one', from: 'main', files: { 'b.yml': 'B\n', 'c/d.yml': null }, message: 'Second', author },
  ]);
  return repository;
}

const said = async (cwd: string, ...args: readonly string[]): Promise<readonly string[]> =>
  (await git(args, { cwd })).stdout.toString('utf8').split('\n').filter(Boolean);

const listed = async ({ dir }: Repository): Promise<readonly string[]> =>
  said(dir, 'for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads');

const known = (repository: Repository): readonly string[] =>
  [...repository.refs()].map((ref) => ref.join(' ')).sort((a, b) => (a < b ? -1 : 1));

describe('the branches of a repository', () => {
  it('are those that Git lists, packed, moved afterwards and deleted', async () => {
    const repository = await twoBranches();
    expect(known(repository)).toEqual(await listed(repository));
    await said(repository.dir, 'tag', '--annotate', '--message', 'x', 'v1', 'main');
    await said(repository.dir, 'pack-refs', '--all', '--prune');
    const [main, one] = [repository.head('main'), repository.head('feature/one')];
    await repository.setRefs([{ branch: 'new', to: main }]);
    expect(known(repository)).toEqual(await listed(repository));
    await repository.setRefs([{ branch: 'main', to: one, from: main }]);
    expect(known(repository)).toEqual([`feature/one ${one}`, `main ${one}`, `new ${main}`]);
    await repository.deleteRef('feature/one');
    expect(known(repository)).toEqual(await listed(repository));
    expect(known(repository)).toHaveLength(2);
  });

  it('leave out one that is deleted while they are read', async () => {
    const repository = await twoBranches();
    // Its name is listed, and its file is gone.
    symlinkSync('nowhere', join(repository.dir, 'refs/heads/gone'));
    expect([...repository.refs().keys()].sort()).toEqual(['feature/one', 'main']);
  });
});

describe('the working copy of a new dev branch', () => {
  it('has the bytes of its commit, and Git finds nothing changed in it', async () => {
    const repository = await twoBranches();
    const head = repository.head('main');
    await repository.addDevBranch('dev', head);
    const { root } = repository.worktree('dev');
    expect(readFileSync(join(root, 'b.yml'), 'utf8')).toBe('b\r\n');
    expect(await said(root, 'rev-parse', '--abbrev-ref', 'HEAD')).toEqual(['dev']);
    expect(await repository.snapshot(repository.worktree('dev'))).toBe(await repository.treeOf(head));
    expect(await said(root, 'status', '--porcelain')).toEqual([]);
    expect(await said(repository.dir, 'fsck', '--strict')).toEqual([]);
  });

  it('becomes another tree, without the files that are not in it', async () => {
    const repository = await twoBranches();
    await repository.addDevBranch('dev', repository.head('main'));
    const worktree = repository.worktree('dev');
    writeFileSync(join(worktree.root, 'added.yml'), 'added');
    await repository.checkout(worktree, await repository.treeOf('feature/one'));
    expect([...(await worktree.index()).keys()].sort()).toEqual(['a.yml', 'b.yml']);
    expect(readFileSync(join(worktree.root, 'b.yml'), 'utf8')).toBe('B\n');
    expect(existsSync(join(worktree.root, 'c'))).toBe(false);
  });
});

describe('a cache with a limit', () => {
  it('lets go what was stored first, and keeps the newest however large it is', () => {
    const cache = new LimitedCache<string>(4, ({ length }) => length);
    for (const text of ['aa', 'bb', 'aa', 'c']) cache.set(text, text);
    expect(['aa', 'bb', 'c'].map((key) => cache.get(key))).toEqual([undefined, 'bb', 'c']);
    cache.set('long', 'longer');
    expect(['bb', 'c', 'long'].map((key) => cache.has(key))).toEqual([false, false, true]);
  });
});
