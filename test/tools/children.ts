import { type ChildProcess, spawn } from 'node:child_process';
import { root, toolEnv } from './run.ts';

/** A long-running program that this process started. */
export interface Child {
  readonly process: ChildProcess;
  /** Returns the end of the output so far. */
  output(): string;
  /** Resolves to the first line that matches; rejects with the output if the program ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves to the exit code when it has ended. */
  readonly ended: Promise<number>;
  /** Asks it to end and, after five seconds, kills it with its children. If it ends in time, they end on their own. */
  end(): Promise<void>;
  /** Ends it in the same way, and then those of its children that still run. */
  stop(): Promise<void>;
}

/** Starts a Node program in the repository's environment; its output is collected for `line` and `output`, and not shown. */
export function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd: string = root,
): Child {
  const child = spawn(process.execPath, args, {
    cwd,
    env: toolEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal reaches only this process, which then ends its children in order.
    detached: process.platform !== 'win32',
  });
  let text = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-200_000);
      for (const watch of [...watchers]) watch();
    });
  }
  const leave = (): void => killGroup(child);
  process.once('exit', leave);
  const ended = new Promise<number>((done) => {
    child.once('exit', (code) => done(code ?? 1));
    child.once('error', () => done(127));
  });
  const line = async (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((done, failed) => {
      const watch = (): void => {
        const found = pattern.exec(text);
        if (!found) return;
        watchers.delete(watch);
        done(found);
      };
      watchers.add(watch);
      void ended.then((code) => failed(new Error(`${args[0]} ended with ${code}:\n${text.trim().slice(-3000)}`)));
      watch();
    });
  return {
    process: child,
    output: () => text,
    line,
    ended,
    end: async () => end(child, ended),
    stop: async () => {
      await end(child, ended);
      killGroup(child);
      process.off('exit', leave);
    },
  };
}

async function end(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const hard = setTimeout(() => killGroup(child), 5000);
  await ended;
  clearTimeout(hard);
}

/** Kills a program with its children: VS Code's server has some. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}
