import { type EngineOptions, engineProcess } from '#language-server/engine/engine-process.ts';
import { abortReason, asError } from '#base/async.ts';
import type { ToolPorts } from '#tools/ports.ts';

/** The files of the platform's compiler and of the process that it runs in. */
export interface EnginePaths extends Pick<EngineOptions, 'program' | 'bundle' | 'templates'> {
  /** The bundle that renders templates in such a process. */
  readonly renderer: string;
}

/** Whether JavaScript files of a project may run in the sandbox: only if the user asked for that outside of a tool. */
export type ScriptRule = 'run' | 'refuse';

/**
 * Returns a function that compiles models with the compiler that the editor uses, in a process without access to files, network
 * or environment. The process stays ready for the next model, and ends with this one.
 */
export function modelCompiler(folder: string, paths: EnginePaths, scripts: ScriptRule): ToolPorts['compile'] {
  const engine = engineProcess(paths);
  return async ({ files, hasScripts }, signal) => {
    if (hasScripts && scripts === 'refuse')
      return {
        kind: 'skipped',
        reason:
          'It has JavaScript files, which run only when the user asks: with “modelbench check --engine” in a terminal, or in the editor.',
      };
    try {
      return { kind: 'compiled', refusals: await engine.check(folder, files, signal) };
    } catch (error) {
      if (signal.aborted) throw abortReason(signal);
      return { kind: 'skipped', reason: asError(error).message };
    }
  };
}
