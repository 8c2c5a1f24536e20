import { spawn } from 'node:child_process';

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitOptions {
  readonly cwd: string;
  readonly input?: string | Buffer | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Exit codes that are an answer, not a failure. */
  readonly accept?: readonly number[];
}

/** A person in the history. */
export interface Author {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly date: number;
}

/** Runs `git`, deaf to the user's and the machine's configuration; rejects with Git's own words when it fails. */
export function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...fixedConfig, ...args], { cwd: options.cwd, env: { ...fixedEnv(), ...options.env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (cause) => reject(new Error('The git command could not be started: install Git.', { cause })));
    child.on('close', (exit) => {
      const code = exit ?? -1;
      const stderr = Buffer.concat(err).toString('utf8').trim();
      if (code === 0 || options.accept?.includes(code)) resolve({ code, stdout: Buffer.concat(out), stderr });
      else reject(new Error(`git ${args[0] ?? ''} failed (${code}): ${stderr}`));
    });
    // A command that ends early closes its input: that is told by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** Who writes a commit, as environment of the command. */
export function authorEnv(author: Author): Record<string, string> {
  const date = `${Math.floor(author.date / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: date,
  };
}

const fixedConfig = [
  '-c',
  'core.quotepath=false',
  '-c',
  'core.autocrlf=false',
  '-c',
  'core.safecrlf=false',
  // A symbolic link in somebody's repository is a small file here, never a way out of the folder.
  '-c',
  'core.symlinks=false',
  '-c',
  'core.filemode=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'gc.auto=0',
  '-c',
  'commit.gpgSign=false',
  '-c',
  'protocol.allow=never',
  '-c',
  'protocol.file.allow=always',
  '-c',
  'safe.directory=*',
];

function fixedEnv(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_AUTHOR_NAME: 'platform',
    GIT_AUTHOR_EMAIL: 'platform@localhost',
    GIT_COMMITTER_NAME: 'platform',
    GIT_COMMITTER_EMAIL: 'platform@localhost',
  };
}
