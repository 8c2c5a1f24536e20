import { type ChildProcess, spawn } from 'node:child_process';
import { root, toolEnv } from './run.ts';

/** A long-running program that this process started. */
export interface Child {
  readonly process: ChildProcess;
  /** The end of what it printed so far. */
  output(): string;
  /** Resolves with the first line that matches; rejects with what was printed when the program ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when it has ended. */
  readonly ended: Promise<number>;
  /** Asks it to end, and makes it after five seconds; what it started ends in its own time. */
  end(): Promise<void>;
  /** The same, and then ends what it started and what is still there. */
  stop(): Promise<void>;
}

/** Starts a Node program of the repository's environment; its output is kept for `line` and `output`, and not shown. */
export function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd: string = root,
): Child {
  const child = spawn(process.execPath, args, {
    cwd,
    env: toolEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal reaches this process alone, which then ends its children in order.
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

/** Also what the program itself started: VS Code's server has children of its own. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
