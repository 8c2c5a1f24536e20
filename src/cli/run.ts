import { CommanderError } from 'commander';
import { asError, isCancelled } from '#base/async.ts';
import { isToolError } from '#tools/tool.ts';
import { oneLine } from '#tools/one-line.ts';
import { commandLine, helpHint } from './command-line.ts';
import { printable } from './printable.ts';
import { type ExitCode, exitCodes, type CliEnvironment } from './environment.ts';
import { refusalOf } from './system-errors.ts';

/** Runs the command line with its arguments (without Node and the program) and resolves to the exit code; never rejects. */
export async function runCommandLine(args: readonly string[], environment: CliEnvironment): Promise<ExitCode> {
  let code: ExitCode = exitCodes.fine;
  try {
    await commandLine(environment, (ended) => (code = ended)).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // The library has already written the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
    if (isCancelled(error) || environment.signal.aborted) {
      // A command that has begun to change something reports that in its answer.
      environment.stderr('modelbench: Interrupted before anything was changed.\n');
      return exitCodes.usage;
    }
    // Names in a message come from the model and the platform, and must not imitate a line of their own.
    const message = refusalOf(error) ?? asError(error).message;
    environment.stderr(`modelbench: ${printable(oneLine(message), environment.variables)}\n`);
    if (!isToolError(error)) return exitCodes.platform;
    if (error.kind === 'input') environment.stderr(`${helpHint(args)}\n`);
    return error.kind === 'platform' ? exitCodes.platform : exitCodes.usage;
  }
}
