import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, openSync, readFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Tree } from './tree.ts';

/** Another way to do the same, measured side by side; ms, or undefined where the machine lacks the tool. */
export type Peer = (tree: Tree) => Promise<number> | number;

/** The C loop, compiled on the spot; undefined where there is no compiler or no OpenSSL to build with. */
export function hashLimit(folder: string): Peer | undefined {
  const program = path.join(folder, 'limit');
  try {
    execFileSync('cc', ['-O2', '-o', program, path.join(import.meta.dirname, 'limit.c'), '-lcrypto'], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  return (tree) => Number(execFileSync(program, { stdio: [openSync(tree.list, 'r'), 'pipe', 'ignore'] }).toString());
}

export const gitHashObject: Peer = (tree) =>
  timed(() =>
    execFileSync('git', ['hash-object', '--no-filters', '--stdin-paths'], {
      cwd: tree.root,
      stdio: [openSync(tree.list, 'r'), 'ignore', 'ignore'],
    }),
  );

export const gitStatus: Peer = (tree) =>
  timed(() => execFileSync('git', ['status', '--porcelain'], { cwd: tree.root, stdio: 'ignore' }));

export const sha1sum: Peer = (tree) =>
  timed(() => execFileSync('xargs', ['-a', tree.list, 'sha1sum'], { stdio: 'ignore' }));

/** As the platform's public command-line client does: one file after the other, stat, stream, hash. */
export const oneByOne: Peer = async (tree) => {
  const started = performance.now();
  for (const file of readFileSync(tree.list, 'utf8').trimEnd().split('\n')) {
    await lstat(file);
    const digest = createHash('sha1');
    for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
    digest.digest('hex');
  }
  return performance.now() - started;
};

/** `rclone hashsum` and `rsync -c` where they are installed. */
export function installed(): readonly (readonly [name: string, peer: Peer])[] {
  const has = (name: string): boolean =>
    (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(path.join(folder, name)));
  const peers: [string, Peer][] = [];
  if (has('rclone'))
    peers.push([
      'rclone hashsum',
      (tree) => timed(() => execFileSync('rclone', ['hashsum', 'sha1', tree.model], { stdio: 'ignore' })),
    ]);
  if (has('rsync')) {
    peers.push([
      'rsync -c dry run',
      (tree) => timed(() => execFileSync('rsync', ['-rcn', `${tree.model}/`, `${tree.model}/`], { stdio: 'ignore' })),
    ]);
  }
  return peers;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
