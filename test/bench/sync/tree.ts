import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Tree {
  readonly root: string;
  /** The folder with the files, below `root`. */
  readonly model: string;
  readonly count: number;
  /** Absolute paths, one a line. */
  readonly list: string;
  /** What the platform would answer to `file-hashes`, as JSON. */
  readonly listing: string;
}

const FILE_BYTES = 4096;
const FOLDERS = 250;

/** A Git work tree of `count` files of 4 KB in 250 folders, committed, so that `git status` has its index. */
export function makeTree(count: number): Tree {
  const root = mkdtempSync(path.join(tmpdir(), `sync-bench-${count}-`));
  const model = path.join(root, 'model');
  const paths: string[] = [];
  const files: Record<string, { readonly hash: string }> = {};
  for (let at = 0; at < count; at++) {
    const folder = path.join(model, `folder_${at % FOLDERS}`);
    if (at < FOLDERS) mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `cube_${at}.yml`);
    const content = `# cube ${at}\n`.padEnd(FILE_BYTES, `cube ${at} `);
    writeFileSync(file, content);
    paths.push(file);
    files[`model/folder_${at % FOLDERS}/cube_${at}.yml`] = { hash: hash('sha1', content) };
  }
  const list = path.join(root, 'files.txt');
  writeFileSync(list, `${paths.join('\n')}\n`);
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', '-c', 'gc.auto=0', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  };
  git('init', '-q');
  git('add', 'model');
  git('commit', '-qm', 'tree');
  const listing = path.join(root, 'listing.json');
  writeFileSync(listing, JSON.stringify({ files }));
  return { root, model, count, list, listing };
}
