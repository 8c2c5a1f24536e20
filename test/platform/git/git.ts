import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { GitOrder, GitReport } from './git-starter.ts';

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

/** A user in the history. */
export interface Author {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly date: number;
}

/** Runs `git`, deaf to the user's and the machine's configuration; rejects with Git's own words when it fails. */
export async function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { code, stdout, stderr, problem } = await starter().run({
    args: [...fixedConfig, ...args],
    cwd: options.cwd,
    env: { ...fixedEnv(), ...options.env },
    input: options.input ?? '',
  });
  if (problem !== undefined) {
    throw new Error('The git command could not be started: install Git.', { cause: new Error(problem) });
  }
  if (code !== 0 && options.accept?.includes(code) !== true) {
    throw new Error(`git ${args[0] ?? ''} failed (${code}): ${stderr}`);
  }
  return { code, stdout: Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength), stderr };
}

let running: Starter | undefined;

/** The process that starts Git; a new one where the last has ended. */
function starter(): Starter {
  if (running?.ended !== false) running = new Starter();
  return running;
}

/** The other end of `git-starter.ts`. It keeps this process alive only while something is asked for. */
class Starter {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (report: GitReport) => void>();
  #next = 0;
  ended = false;

  constructor() {
    const program = fileURLToPath(new URL('./git-starter.ts', import.meta.url));
    this.#child = fork(program, {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (report: GitReport) => this.#settle(report));
    this.#child.on('exit', () => this.#end());
    this.#child.on('error', () => this.#end());
    this.#child.unref();
  }

  run(order: Omit<GitOrder, 'id'>): Promise<GitReport> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.channel?.ref();
      this.#child.send({ ...order, id } satisfies GitOrder, (error) => {
        if (error) this.#settle(lost(id));
      });
    });
  }

  #settle(report: GitReport): void {
    this.#waiting.get(report.id)?.(report);
    this.#waiting.delete(report.id);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
  }

  #end(): void {
    this.ended = true;
    for (const id of this.#waiting.keys()) this.#settle(lost(id));
  }
}

const lost = (id: number): GitReport => ({
  id,
  code: -1,
  stdout: new Uint8Array(),
  stderr: '',
  problem: 'The process that starts Git has ended.',
});

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
  // The files that `branch-refs.ts` reads; an older Git knows no others.
  '-c',
  'init.defaultRefFormat=files',
  '-c',
  'core.quotepath=false',
  '-c',
  'core.autocrlf=false',
  '-c',
  'core.safecrlf=false',
  // A symbolic link in someone's repository is a small file here, never a way out of the folder.
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
