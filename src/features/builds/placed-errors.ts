import { asError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import { linkFileName } from '#features/platform/index.ts';
import { defines, parseBuildErrors } from '#model/engine/build-errors.ts';
import { withoutFollowing } from '#model/engine/following-errors.ts';
import { buildProblems, type ProblemLocation } from './build-problems.ts';

/** The texts of a folder's model by path. */
export interface BuiltTexts {
  /** The texts in the editor, in which positions are shown. */
  readonly here: ReadonlyMap<string, string>;
  /** The saved texts, from which a build is made. */
  readonly saved: ReadonlyMap<string, string>;
}

/** The folder whose build failed. */
export interface BuiltFolder {
  readonly texts: () => Promise<BuiltTexts>;
  /** Returns the positions that the language server finds, one for each error; an empty list while it is not running. */
  readonly serve: (messages: readonly string[]) => Promise<readonly (ProblemLocation | undefined)[]>;
}

/** The errors of a build in one file. */
export interface FileErrors {
  readonly path: string;
  /** The built text; `undefined` if it is not known. */
  readonly built: string | undefined;
  readonly problems: readonly { readonly message: string; readonly location: ProblemLocation | undefined }[];
}

/** The longest wait for the language server, in milliseconds. After that, errors are shown at positions found by searching. */
const servedWithin = 3000;

/**
 * Groups the errors of a failed build by file, without those that only follow from others. Errors without a file are assigned to
 * the file that links the folder.
 * @param errorText The text of the platform; `undefined` if it gave no reason.
 */
export async function placedErrors(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  folder: BuiltFolder,
  errorText: string | undefined,
): Promise<readonly FileErrors[]> {
  const texts = await folder.texts();
  const all = parseBuildErrors(errorText ?? 'The platform gave no reason.');
  // The branch may have cubes that this folder does not have: those that an error is about exist, too.
  const named = new Set(all.map(({ cube }) => cube));
  const errors = withoutFollowing(all, (name) => named.has(name) || defines(texts.saved.values(), name));
  const served = folder.serve(errors.map(({ message }) => message)).catch((error: unknown) => {
    logger.warn('The language server did not place build errors', { error: asError(error).message });
    return [];
  });
  const over = new AbortController();
  const limit = clock.sleep(servedWithin, over.signal).then(
    () => [],
    () => [],
  );
  const locations = await Promise.race([served, limit]);
  over.abort();
  const byFile = Map.groupBy(
    buildProblems(errors, locations, texts.here),
    ({ location }) => location?.path ?? linkFileName,
  );
  return [...byFile].map(([path, problems]) => ({ path, built: texts.saved.get(path), problems }));
}
