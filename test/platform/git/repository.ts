import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Sequencer } from '#base/async.ts';
import { readBranchRefs } from './branch-refs.ts';
import { CommittedFiles } from './committed-files.ts';
import { type Author, authorEnv, git, type GitResult } from './git.ts';
import { importStream, type ImportCommit } from './import.ts';
import { LimitedCache } from './limited-cache.ts';
import { type FileIndex, Worktree } from './worktree.ts';

/** What a merge of two commits gives: a tree, or the paths that both changed. */
export type MergeResult =
  | { readonly ok: true; readonly tree: string }
  | { readonly ok: false; readonly conflicts: readonly string[] };

export interface RefMove {
  readonly branch: string;
  readonly to: string;
  /** Where the branch is now; undefined: it does not exist yet. */
  readonly from?: string | undefined;
}

export interface CommitInput {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Author;
}

/**
 * One deployment's Git repository: shared branches are refs, a dev branch has a worktree besides. Everything that
 * changes or reads it runs through `exclusive`, one at a time.
 */
export class Repository {
  readonly dir: string;
  /** Texts of files by their SHA-1. Limited to so many characters. */
  readonly texts = new LimitedCache<string>(32_000_000, ({ length }) => length);
  readonly #worktreesDir: string;
  /** Where files wait, on the same file system, until they are moved to their place. */
  readonly stagingDir: string;
  readonly #worktrees = new Map<string, Worktree>();
  readonly #sequencer = new Sequencer();
  readonly #committed: CommittedFiles;
  #empty = false;
  #refs: ReadonlyMap<string, string> | undefined;

  /** @param root the deployment's folder; it may not exist yet. `bare`: the folder itself is the repository */
  constructor(root: string, options: { readonly bare?: boolean } = {}) {
    this.dir = options.bare === true ? root : join(root, 'repository.git');
    this.#worktreesDir = join(root, 'worktrees');
    this.stagingDir = join(root, 'staging');
    this.#committed = new CommittedFiles(this.dir);
  }

  /** Runs one piece of work on the repository while no other work touches it. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#sequencer.queue(work);
  }

  get exists(): boolean {
    return existsSync(join(this.dir, 'HEAD'));
  }

  /** Creates an empty repository. */
  async init(branch: string): Promise<void> {
    await mkdir(this.dir, { recursive: true });
    await git(['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, '.'], { cwd: this.dir });
    await keepBytes(this.dir);
    this.#empty = true;
  }

  /** Makes the repository a clone of a bare one on this disk; what was there before stays until the clone is whole. */
  async cloneFrom(source: string, branch: string): Promise<void> {
    await this.prepareClone(source, branch);
    await this.swapIn();
    await this.keepSwap();
  }

  /** Makes a clone of a bare repository on this disk beside this one, for `swapIn`. */
  async prepareClone(source: string, branch: string): Promise<void> {
    await rm(this.#fresh, { recursive: true, force: true, maxRetries: 3 });
    await mkdir(this.#fresh, { recursive: true });
    const options = ['--quiet', '--bare', '--template=', '--no-hardlinks', '--single-branch', '--branch', branch];
    await git(['clone', ...options, source, '.'], { cwd: this.#fresh });
    await keepBytes(this.#fresh);
  }

  /** Puts the prepared clone in the place of this repository, which stays aside until `keepSwap` or `undoSwap`. */
  async swapIn(): Promise<void> {
    await this.keepSwap();
    if (existsSync(this.dir)) await rename(this.dir, this.#old);
    await rename(this.#fresh, this.dir);
    this.#refs = undefined;
  }

  async keepSwap(): Promise<void> {
    await rm(this.#old, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Takes the repository back that `swapIn` put aside, however far that got. */
  async undoSwap(): Promise<void> {
    await rm(this.#fresh, { recursive: true, force: true, maxRetries: 3 });
    if (!existsSync(this.#old)) return;
    await rm(this.dir, { recursive: true, force: true, maxRetries: 3 });
    await rename(this.#old, this.dir);
    this.#refs = undefined;
  }

  /** Writes commits in one command, as someone with a clone would push them. */
  async import(commits: readonly ImportCommit[]): Promise<void> {
    const input = importStream(commits, this.#empty ? new Map() : this.refs());
    await git(['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet'], { cwd: this.dir, input });
    this.#empty = false;
    this.#refs = undefined;
  }

  /** Branch names and the commits they point at. */
  refs(): ReadonlyMap<string, string> {
    this.#refs ??= readBranchRefs(this.dir);
    return this.#refs;
  }

  head(branch: string): string {
    const hash = this.refs().get(branch);
    if (hash === undefined) throw new Error(`Branch ${branch} does not exist in ${this.dir}`);
    return hash;
  }

  /** Moves or creates branches together; fails when one is no longer where the caller saw it. */
  async setRefs(moves: readonly RefMove[]): Promise<void> {
    const lines = moves.map(({ branch, to, from }) => `update refs/heads/${branch} ${to} ${from ?? '0'.repeat(40)}`);
    const input = ['start', ...lines, 'prepare', 'commit', ''].join('\n');
    try {
      await git(['update-ref', '--stdin'], { cwd: this.dir, input });
    } finally {
      this.#refs = undefined;
    }
  }

  async deleteRef(branch: string): Promise<void> {
    await this.#git(['update-ref', '-d', `refs/heads/${branch}`]);
    this.#refs = undefined;
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    return (await this.#git(['merge-base', '--is-ancestor', older, newer], [1])).code === 0;
  }

  /** A real three-way merge that touches no branch and no working copy. */
  async mergeTrees(ours: string, theirs: string): Promise<MergeResult> {
    const { code, stdout } = await this.#git(['merge-tree', '--write-tree', '--name-only', '-z', ours, theirs], [1]);
    const [tree = '', ...rest] = stdout.toString('utf8').split('\0');
    if (code === 0) return { ok: true, tree };
    // The list of paths ends at the first empty entry; messages follow.
    return { ok: false, conflicts: [...new Set(rest.slice(0, Math.max(0, rest.indexOf(''))))].sort() };
  }

  /** The full name of a commit, such as of `main~1`. */
  async commitAt(revision: string): Promise<string> {
    return text(await this.#git(['rev-parse', '--verify', `${revision}^{commit}`]));
  }

  async treeOf(commit: string): Promise<string> {
    return text(await this.#git(['rev-parse', '--verify', `${commit}^{tree}`]));
  }

  async commitTree(input: CommitInput): Promise<string> {
    const parents = input.parents.flatMap((parent) => ['-p', parent]);
    const result = await git(['commit-tree', input.tree, ...parents], {
      cwd: this.dir,
      input: `${input.message.trimEnd()}\n`,
      env: authorEnv(input.author),
    });
    return text(result);
  }

  /** The files of a commit's tree with the SHA-1 of their bytes. */
  indexOf(commit: string): Promise<FileIndex> {
    return this.#committed.index(commit);
  }

  readAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    return this.#committed.read(commit, paths);
  }

  /** A tree made of another one (or of nothing) with files set from disk and files removed. */
  async editTree(
    base: string | undefined,
    set: ReadonlyMap<string, string>,
    removed: readonly string[],
  ): Promise<string> {
    const indexFile = join(this.dir, `edit-${process.pid}.index`);
    const env = { GIT_INDEX_FILE: indexFile };
    await rm(indexFile, { force: true });
    try {
      const paths = [...set.keys()];
      const { stdout } = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], {
        cwd: this.dir,
        input: [...set.values()].map((file) => `${file}\n`).join(''),
      });
      const blobs = stdout.toString('utf8').split('\n');
      await git(base === undefined ? ['read-tree', '--empty'] : ['read-tree', base], { cwd: this.dir, env });
      const lines = [
        ...removed.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`),
        ...paths.map((path, at) => `100644 ${blobs[at] ?? ''}\t${path}\0`),
      ];
      await git(['update-index', '-z', '--index-info'], { cwd: this.dir, env, input: lines.join('') });
      return text(await git(['write-tree'], { cwd: this.dir, env }));
    } finally {
      await rm(indexFile, { force: true });
    }
  }

  /** Brings a branch of another repository on this disk in as a branch of this one. */
  async fetchFrom(source: string, branch: string): Promise<string> {
    await this.#git(['fetch', '--quiet', '--no-tags', source, `+refs/heads/${branch}:refs/upstream/${branch}`]);
    return text(await this.#git(['rev-parse', `refs/upstream/${branch}`]));
  }

  /** Sends a branch to another repository on this disk. */
  async pushTo(target: string, branch: string): Promise<void> {
    await this.#git(['push', '--quiet', target, `refs/heads/${branch}:refs/heads/${branch}`]);
  }

  /** Starts a dev branch at a commit (by its full name), with a working copy of its own. */
  async addDevBranch(branch: string, commit: string): Promise<void> {
    await this.#removeFolders(branch);
    const root = join(this.#worktreesDir, branch);
    mkdirSync(root, { recursive: true });
    for (const [path, bytes] of await this.#committed.read(commit)) writeWithFolders(join(root, path), bytes);
    // What `git worktree add` writes, without its processes. Git makes the index when it first needs one (`snapshot`).
    const data = this.#worktreeData(branch);
    mkdirSync(data, { recursive: true });
    // Relative, so that the data folder can be moved and copied.
    writeFileSync(join(root, '.git'), `gitdir: ${relative(root, data)}\n`);
    writeFileSync(join(data, 'gitdir'), `${join(root, '.git')}\n`);
    writeFileSync(join(data, 'commondir'), '../..\n');
    writeFileSync(join(data, 'HEAD'), `ref: refs/heads/${branch}\n`);
    this.#addRef(branch, commit);
  }

  /** The working copy of a dev branch. */
  worktree(branch: string): Worktree {
    const known = this.#worktrees.get(branch);
    if (known !== undefined) return known;
    const worktree = new Worktree(branch, join(this.#worktreesDir, branch));
    this.#worktrees.set(branch, worktree);
    return worktree;
  }

  async removeWorktree(branch: string): Promise<void> {
    this.#worktrees.delete(branch);
    await this.#removeFolders(branch);
  }

  /** The working copy as a tree object, whatever `.gitignore` says. */
  async snapshot(worktree: Worktree): Promise<string> {
    await git(['add', '--all', '--force', '.'], { cwd: worktree.root });
    return text(await git(['write-tree'], { cwd: worktree.root }));
  }

  /** Removes locks that a killed process left in a working copy. */
  async unlock(branch: string): Promise<void> {
    await rm(join(this.#worktreeData(branch), 'index.lock'), { force: true });
  }

  /** Makes the working copy exactly `tree`; its branch must point at the commit it is to be based on. */
  async checkout(worktree: Worktree, tree: string): Promise<void> {
    // Git removes only files that it knows.
    if (!existsSync(join(this.#worktreeData(worktree.name), 'index'))) await this.snapshot(worktree);
    await git(['read-tree', '--reset', '-u', tree], { cwd: worktree.root });
    worktree.forget();
  }

  #git(args: readonly string[], accept: readonly number[] = []): Promise<GitResult> {
    return git(args, { cwd: this.dir, accept });
  }

  /** Creates a branch, or moves one that no other call can move at the same time. */
  #addRef(branch: string, commit: string): void {
    const path = join(this.dir, 'refs/heads', branch);
    writeWithFolders(`${path}.lock`, `${commit}\n`);
    renameSync(`${path}.lock`, path);
    this.#refs = undefined;
  }

  /** Where Git keeps what it knows of a worktree. */
  #worktreeData(branch: string): string {
    return join(this.dir, 'worktrees', branch);
  }

  async #removeFolders(branch: string): Promise<void> {
    for (const folder of [join(this.#worktreesDir, branch), this.#worktreeData(branch)]) {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  get #fresh(): string {
    return `${this.dir}.new`;
  }

  get #old(): string {
    return `${this.dir}.old`;
  }
}

function writeWithFolders(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Attributes in a repository must not change the bytes that are hashed. */
async function keepBytes(dir: string): Promise<void> {
  await mkdir(join(dir, 'info'), { recursive: true });
  await writeFile(join(dir, 'info', 'attributes'), '* -text -ident !filter !working-tree-encoding\n');
}

const text = (result: GitResult): string => result.stdout.toString('utf8').trim();
