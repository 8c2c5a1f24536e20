import { basename } from 'node:path';
import { checkName, nameProblemText } from '#base/file-names.ts';
import { isProposable } from '#chat-core/proposed-files.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';

/** A change of a file, whose text before or after it is absent if there is no file. */
export interface FileChange {
  /** Relative to the folder of the model. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Returns a sentence if a tool may not make a change, otherwise `undefined`. A new file needs a name that means the same on every system.
 * `whole`: the project, if its model has no folder of its own: then its other scripts and configurations are beside the model, and
 * only what is a model may change.
 */
export function writeProblem({ path, before, after }: FileChange, whole: string | undefined): string | undefined {
  const problem = before === undefined ? checkName(path) : undefined;
  if (problem !== undefined) return `The name ${nameProblemText(problem)}.`;
  if (whole === undefined || isQueryPath(path)) return undefined;
  const isModel =
    before === undefined
      ? isProposable(`${basename(whole)}/${path}`, after ?? '', '')
      : looksLikeModel(path, before.replace(/^\uFEFF/, ''));
  return isModel ? undefined : NOT_A_MODEL;
}

const NOT_A_MODEL =
  'The folder is more than a data model, and this file is not one: YAML has to define cubes or views, and a new script has to be in a folder called “model”, “schema”, “cubes” or “views”.';
