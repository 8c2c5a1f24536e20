/** Options of a language server's process, in addition to those of the extension host. */
export interface ServerProcessOptions {
  readonly execArgv: string[];
  readonly env: Record<string, string>;
}

/**
 * Returns how to start the language server's process. `cache` is a folder of the extension in which Node stores the compiled code
 * of the server: without it, V8 compiles that code at every start. Node creates the folder, validates what it reads from it, and
 * works without it if it cannot be used. `notes` is a folder in which the server notes the file it works on: after a crash, the
 * next process skips that file.
 */
export function serverProcess(cache: string | undefined, notes?: string): ServerProcessOptions {
  return {
    // Memory for young objects, in MB. With V8's default of one megabyte, it collects garbage four times while the server starts;
    // without a limit, it permanently takes more than a hundred after a whole model has been checked.
    execArgv: ['--min-semi-space-size=8', '--max-semi-space-size=16'],
    env: {
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
      ...(notes === undefined ? {} : { MODELBENCH_LANGUAGE_NOTES: notes }),
    },
  };
}
