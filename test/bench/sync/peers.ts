import { execFileSync, spawnSync } from 'node:child_process';
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

/** The same by what its threads worked, which other programs on the machine do not lengthen. */
export const gitStatusWork: Peer = (tree) => workOf('git status --porcelain', tree.root);

/** What the C loop works. */
export function hashLimitWork(folder: string): Peer | undefined {
  const program = path.join(folder, 'limit');
  return existsSync(program) ? (tree) => workOf(`'${program}' < '${tree.list}'`, tree.root) : undefined;
}

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

/** User and system time of a command, as the shell counts it. */
function workOf(command: string, cwd: string): number {
  const counted = spawnSync('bash', ['-c', `TIMEFORMAT='%U %S'; time ${command} > /dev/null`], {
    cwd,
    encoding: 'utf8',
  });
  const [user = 0, system = 0] = (counted.stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return (user + system) * 1000;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
