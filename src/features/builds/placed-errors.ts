import { asError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import { linkFileName } from '#features/platform/index.ts';
import { parseBuildErrors } from '#model/build-errors.ts';
import { buildProblems, type ProblemLocation } from './build-problems.ts';

/** The texts of a folder's model by path. */
export interface BuiltTexts {
  /** As they are edited, because positions are shown in them. */
  readonly here: ReadonlyMap<string, string>;
  /** As they were saved, which is what a build is made of. */
  readonly saved: ReadonlyMap<string, string>;
}

/** The folder whose build failed. */
export interface BuiltFolder {
  readonly texts: () => Promise<BuiltTexts>;
  /** Where the language server says that errors belong, one answer for each; none while it does not run. */
  readonly serve: (messages: readonly string[]) => Promise<readonly (ProblemLocation | undefined)[]>;
}

/** The errors of a build in one file. */
export interface FileErrors {
  readonly path: string;
  /** What was built; `undefined` where it is not known. */
  readonly built: string | undefined;
  readonly problems: readonly { readonly message: string; readonly place: ProblemLocation | undefined }[];
}

/** Longest wait for the language server, milliseconds: an error is shown at a place that was searched rather than late. */
const servedWithin = 3000;

/** The errors of a failed build by file; those that lead to none are at the file that links the folder. */
export async function placedErrors(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  folder: BuiltFolder,
  errorText: string | undefined,
): Promise<readonly FileErrors[]> {
  const errors = parseBuildErrors(errorText ?? 'The platform gave no reason.');
  const served = folder.serve(errors.map(({ message }) => message)).catch((error: unknown) => {
    logger.warn('The language server did not place build errors', { error: asError(error).message });
    return [];
  });
  const over = new AbortController();
  const limit = clock.sleep(servedWithin, over.signal).then(
    () => [],
    () => [],
  );
  const [texts, places] = await Promise.all([folder.texts(), Promise.race([served, limit])]);
  over.abort();
  const byFile = Map.groupBy(buildProblems(errors, places, texts.here), ({ place }) => place?.path ?? linkFileName);
  return [...byFile].map(([path, problems]) => ({ path, built: texts.saved.get(path), problems }));
}
