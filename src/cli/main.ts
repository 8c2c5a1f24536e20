import { join } from 'node:path';
import type { dataClientOf } from '#tools/platform/open-platform.ts';
import { runCommandLine } from './run.ts';
import { stateFolder } from '#sync/disk/state-folder.ts';
import { exitCodes } from './environment.ts';

// The editor's tools for agents come from this bundle, too, so that the package contains the tools once.
export { tools } from '#tools/tools.ts';
export { ToolError } from '#tools/tool.ts';
export { portsOf } from './ports.ts';

/** Loads the code that sends requests, which only some tools need. */
export async function dataClients(): Promise<{ readonly dataClientOf: typeof dataClientOf }> {
  return import('#tools/platform/open-platform.ts');
}

/** Runs the command line of this process. */
export function start(): void {
  const stop = new AbortController();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has read enough (`modelbench search '' | head`) closes the pipe; the command ends as it would have.
    if (error.code === 'EPIPE') {
      stop.abort();
      return;
    }
    process.stderr.write(`modelbench: The answer cannot be written: ${error.message}\n`);
    process.exitCode = exitCodes.platform;
  });
  // The command does its work even if nothing reads its errors.
  process.stderr.on('error', () => undefined);
  // The first signal stops the command between two steps, the second one ends the process at once.
  let stoppedBy: keyof typeof signalNumbers | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stoppedBy ??= signal;
      stop.abort();
    });
  const folder = currentFolder();
  if (folder === undefined) {
    process.stderr.write(
      'modelbench: The current folder no longer exists. Change to another folder, then try again.\n',
    );
    process.exitCode = exitCodes.usage;
    return;
  }
  void runCommandLine(process.argv.slice(2), {
    folder,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    isInteractive: process.stderr.isTTY,
    signal: stop.signal,
    variables: process.env,
    state: stateFolder(process.env),
    hashWorker: join(__dirname, 'hash-worker.js'),
    engine: {
      program: join(__dirname, 'engine-process.js'),
      bundle: join(__dirname, 'engine.js'),
      renderer: join(__dirname, 'templates.js'),
      templates: join(__dirname, 'minijinja_js_bg.wasm'),
    },
  }).then((code) => {
    // Shells and pipelines recognise a stopped command by this number; one that was done before the signal is fine.
    const wasStopped = stoppedBy !== undefined && code !== exitCodes.fine;
    process.exitCode ??= wasStopped && stoppedBy ? 128 + signalNumbers[stoppedBy] : code;
  });
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Returns the folder in which the process was started; `undefined` if it was removed. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
