import { type CliEnvironment, exitCodes } from './environment.ts';
import { runCommandLine } from './run.ts';

/** What a process gives to the command line. */
export type HostProcess = Pick<NodeJS.Process, 'cwd' | 'env' | 'once'> & {
  readonly argv: readonly string[];
  readonly stdout: Pick<NodeJS.WriteStream, 'on' | 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'on' | 'write' | 'isTTY'>;
  exitCode?: NodeJS.Process['exitCode'];
};

/** What the process finds beside its program, and what replaces its network. */
type Places = Pick<CliEnvironment, 'state' | 'hashWorker' | 'engine' | 'fetch' | 'limits'>;

/** Runs the command line for a process, with its streams, signals and exit code; never rejects. */
export async function runProcess(host: HostProcess, places: Places): Promise<void> {
  const stop = new AbortController();
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has read enough (`modelbench search '' | head`) closes the pipe; the command ends as it would have.
    if (error.code === 'EPIPE') {
      stop.abort();
      return;
    }
    host.stderr.write(`modelbench: The answer cannot be written: ${error.message}\n`);
    host.exitCode = exitCodes.platform;
  });
  // The command does its work even if nothing reads its errors.
  host.stderr.on('error', () => undefined);
  // The first signal stops the command between two steps, the second one ends the process at once.
  let stoppedBy: keyof typeof signalNumbers | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    host.once(signal, () => {
      stoppedBy ??= signal;
      stop.abort();
    });
  const folder = currentFolder(host);
  if (folder === undefined) {
    host.stderr.write('modelbench: The current folder no longer exists. Change to another folder, then try again.\n');
    host.exitCode = exitCodes.usage;
    return;
  }
  const code = await runCommandLine(host.argv.slice(2), {
    ...places,
    folder,
    stdout: (text) => host.stdout.write(text),
    stderr: (text) => host.stderr.write(text),
    isInteractive: host.stderr.isTTY,
    signal: stop.signal,
    variables: host.env,
  });
  // Shells and pipelines recognise a stopped command by this number; one that was done before the signal is fine.
  const wasStopped = stoppedBy !== undefined && code !== exitCodes.fine;
  host.exitCode ??= wasStopped && stoppedBy ? 128 + signalNumbers[stoppedBy] : code;
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Returns the folder in which the process was started; `undefined` if it was removed. */
function currentFolder(host: HostProcess): string | undefined {
  try {
    return host.cwd();
  } catch {
    return undefined;
  }
}
