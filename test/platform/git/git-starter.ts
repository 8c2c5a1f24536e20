// A process of its own that starts Git for the platform: a start takes the longer the more memory the process has that
// asks for it (3 ms of CPU here, 15 ms from one of 300 MB, and its event loop stands still meanwhile).
import { spawn } from 'node:child_process';

/** What the platform asks for, as a message. */
export interface GitOrder {
  readonly id: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | Uint8Array;
}

/** What came of it; `problem` where Git could not be started. */
export interface GitReport {
  readonly id: number;
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly problem?: string | undefined;
}

if (import.meta.main) {
  process.on('message', (order: GitOrder) => run(order, (report) => process.send?.(report)));
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal: this one stays until the platform has closed everything.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

function run({ id, args, cwd, env, input }: GitOrder, report: (report: GitReport) => void): void {
  const child = spawn('git', args, { cwd, env });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  let problem: string | undefined;
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.on('error', (error) => {
    problem = error.message;
  });
  child.on('close', (exit) => {
    const stderr = Buffer.concat(err).toString('utf8').trim();
    report({ id, code: exit ?? -1, stdout: Buffer.concat(out), stderr, problem });
  });
  // A command that ends early closes its input: that is told by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
}
