import type { BuildError, ErrorPosition } from '#model/engine/build-errors.ts';
import { placeOf } from '#model/engine/build-errors.ts';

/** The position of a problem: lines and UTF-16 code units from 0, end exclusive. */
export interface ProblemLocation {
  readonly path: string;
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** An error of a build with its position; `undefined` if nothing in the error leads to one. */
export interface BuildProblem {
  readonly message: string;
  readonly location: ProblemLocation | undefined;
}

/**
 * Finds the positions of build errors: by the line or source that the engine quotes, or else from the language server (`served`,
 * one for each error), or else by searching the texts.
 */
export function buildProblems(
  errors: readonly BuildError[],
  served: readonly (ProblemLocation | undefined)[],
  files: ReadonlyMap<string, string>,
): readonly BuildProblem[] {
  return errors.map((error, index) => ({ message: error.message, location: locate(error, served[index], files) }));
}

function locate(
  error: BuildError,
  served: ProblemLocation | undefined,
  files: ReadonlyMap<string, string>,
): ProblemLocation | undefined {
  const found = placeOf(error, files);
  const isExact = error.line !== undefined || error.quoted.size > 0;
  if (found && (isExact || !served || !isNamed(error, served))) return onLine(found);
  return served;
}

/** Whether a position is in the file that the engine names: one in another file belongs to something else. */
function isNamed({ fileName }: BuildError, { path }: ProblemLocation): boolean {
  const wanted = fileName?.replace(/^\/+/, '');
  return wanted === undefined || path === wanted || path.endsWith(`/${wanted}`);
}

function onLine({ path, line, start, end }: ErrorPosition): ProblemLocation {
  return { path, start: { line, character: start }, end: { line, character: end } };
}
