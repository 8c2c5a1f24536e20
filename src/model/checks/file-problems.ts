import { append } from '#base/long-lists.ts';
import { type Chunk, ChunkNotes } from '../chunk.ts';
import type { ModelFile } from '../file.ts';
import { hasIgnores, ignores } from '../ignores.ts';
import type { ModelIndex } from '../index.ts';
import { aliasProblems } from './alias-problems.ts';
import { withoutFollowingProblems } from './following-problems.ts';
import { renderedProblems, writtenProblems } from './rendered-problems.ts';
import { type Found, relatedProblems, templateProblems, textProblems } from './check.ts';

export interface FileCircumstances {
  /** The rest of the model is unknown, so nothing may be called missing. */
  readonly isStandalone?: boolean;
  /** Problems of an older structure of the model are good enough. */
  readonly stale?: boolean;
  /** Returns the problems that others found in the file, given those of the model's own checks. */
  readonly others?: (own: readonly Found[]) => readonly Found[];
}

/** Returns all problems of a file in its model, except those that a comment switches off. Offsets are the file's. */
export function fileProblems(
  file: ModelFile,
  index: ModelIndex,
  { isStandalone = false, stale = false, others }: FileCircumstances = {},
): readonly Found[] {
  const rendering = isStandalone || file.conflicted ? undefined : index.rendering(file.path);
  const found = rendering
    ? [
        ...writtenProblems(file, rendering),
        ...templateProblems(file, index),
        ...renderedProblems(file, rendering, index, stale),
      ]
    : [
        ...textProblems(file),
        ...templateProblems(file, index, isStandalone),
        ...file.chunks.flatMap((placed) => relatedProblems(placed, index, file, { isStandalone, stale })),
      ];
  append(found, failedTemplate(file, index, found, isStandalone));
  if (!rendering) append(found, aliasProblems(file, index, found, isStandalone));
  append(found, others?.(found) ?? []);
  // Most texts have no problems; skip searching large ones for comments.
  if (found.length === 0) return found;
  const causes = withoutFollowingProblems(found, file.text);
  if (!mayIgnore(file)) return causes;
  const ignored = ignores(file.text, file.language === 'script');
  return causes.filter(({ problem, start }) => !ignored(problem.code, start));
}

/** Reports why the template engine cannot render a file, unless an error of its tags already says so. */
function failedTemplate(
  file: ModelFile,
  index: ModelIndex,
  found: readonly Found[],
  isStandalone: boolean,
): readonly Found[] {
  const failure = isStandalone || file.conflicted ? undefined : index.templateFailure(file);
  if (!failure || file.problems.some(({ code }) => code === 'jinja-syntax')) return [];
  const { start, end } = failure;
  const isKnown = found.some((other) => other.severity === 'error' && other.start <= end && start <= other.end);
  return isKnown ? [] : [{ problem: failure, severity: 'error', start, end }];
}

/** Whether there may be a comment that switches problems off; where chunks have the text of the file, only changed ones are searched. */
function mayIgnore({ verbatim, chunks }: ModelFile): boolean {
  return !verbatim || chunks.some(({ lead, chunk }) => hasIgnores(lead) || mayIgnoreIn(chunk));
}

const marked = new ChunkNotes<boolean>();

function mayIgnoreIn(chunk: Chunk): boolean {
  const known = marked.get(chunk) ?? hasIgnores(chunk.text);
  marked.set(chunk, known);
  return known;
}
