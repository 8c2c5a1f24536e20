/** What the process of a language server is given, besides what the extension host's own has. */
export interface ServerProcessOptions {
  readonly execArgv: string[];
  readonly env: Record<string, string>;
}

/**
 * How the language server's process is started. `cache` is a folder of the extension's own in which Node keeps what V8
 * compiled of the server: without it every start compiles it again. Node makes the folder, checks what it reads there, and
 * continues without where it cannot be used. `notes` is a folder in which the server notes which file it works on: after a
 * crash the next process skips that file.
 */
export function serverProcess(cache: string | undefined, notes?: string): ServerProcessOptions {
  return {
    // Room for what is young, in MB. In V8's own single megabyte it collects four times while it starts; left alone it
    // takes more than a hundred for good once a whole model was checked.
    execArgv: ['--min-semi-space-size=8', '--max-semi-space-size=16'],
    env: {
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
      ...(notes === undefined ? {} : { MODELBENCH_LANGUAGE_NOTES: notes }),
    },
  };
}
