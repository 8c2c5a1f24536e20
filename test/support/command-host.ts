// A process that runs the command line again and again, for tests of what the system refuses to a user: to start a process for each
// command costs as much as twenty commands.
import { stateFolder } from '#sync/disk/state-folder.ts';
import { runCommandLine } from '#cli/run.ts';

/** A command, with the variables of the process that it would have. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The program that scans folders. */
  readonly hashWorker: string;
}

export interface HostedEnd {
  readonly code: number;
  readonly text: string;
}

process.on('message', ({ args, variables, hashWorker }: HostedCommand) => {
  let [out, err] = ['', ''];
  const absent = '/absent';
  void runCommandLine(args, {
    folder: process.cwd(),
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    isInteractive: false,
    signal: new AbortController().signal,
    variables,
    state: stateFolder(variables),
    hashWorker,
    engine: { program: absent, bundle: absent, renderer: absent, templates: absent },
  }).then((code) => process.send?.({ code, text: out + err } satisfies HostedEnd));
});
