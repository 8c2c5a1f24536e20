import { type ChildProcess, spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** The repository's folder. */
export const root = resolve(import.meta.dirname, '../..');

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Also shows the output while it runs. */
  readonly show?: boolean;
  /** Whether the command and its children run at low priority. */
  readonly isInBackground?: boolean;
  /** Ends the command after this many milliseconds. */
  readonly timeout?: number;
}

export interface RunResult {
  readonly code: number;
  /** Standard output and error, interleaved in the order of arrival. */
  readonly output: string;
}

/** Runs a command to its end and collects its output; a command that cannot start has code 127. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = start(command, args, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (options.show) process.stderr.write(text);
    });
  }
  const timer = options.timeout === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), options.timeout);
  const code = await new Promise<number>((done) => {
    child.on('error', (error) => {
      output += `${error.message}\n`;
      done(127);
    });
    child.on('close', (code, signal) => {
      if (code === null) output += `Ended by ${signal ?? 'a signal'}\n`;
      done(code ?? 1);
    });
  });
  clearTimeout(timer);
  return { code, output };
}

/** Runs a command that must succeed; the error contains the end of its output. */
export async function mustRun(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${lastLines(output, 40)}`);
  return output;
}

/** Returns the last lines of a long output. */
export const lastLines = (text: string, count: number): string => text.trimEnd().split('\n').slice(-count).join('\n');

/** Returns the environment with the repository's tools (including its Node) first on the search path. */
export function toolEnv(extra: RunOptions['env'] = {}): NodeJS.ProcessEnv {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return { ...process.env, PATH: path, ...extra };
}

function start(command: string, args: readonly string[], options: RunOptions): ChildProcess {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: toolEnv(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  // A command that could not start has no process id; a process that already has a lower priority keeps it.
  if (options.isInBackground && child.pid !== undefined) {
    setPriority(child.pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  }
  return child;
}
