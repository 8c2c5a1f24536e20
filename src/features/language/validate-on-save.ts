import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { isCancelled } from '#base/async.ts';
import { isInside, joinPath, normalizePath, pathInside } from '#base/path.ts';
import { plural } from '#base/words.ts';
import type { Clock } from '#base/clock.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { direction, type Plan } from '#sync/core/plan.ts';
import { type OfferedData, validateBranch } from '#features/platform/index.ts';
import type { PlatformVerdict } from './messages.ts';

/** A model whose branch is validated. */
export interface ValidatedModel {
  readonly target: BranchTarget;
  /** The folder of the model in the branch; empty for the whole branch. */
  readonly modelPath: string;
  /** The sync of the local folder that belongs to the branch; absent for a document of the branch itself. */
  readonly sync?: UploadedFolder | undefined;
}

/** The functions of a folder's sync that determine whether its branch has the saved text. */
export interface UploadedFolder {
  readonly flush: () => Promise<void>;
  readonly plan: (options: { readonly signal: AbortSignal }) => Promise<Pick<Plan, 'entries'>>;
}

/** How long to wait for further saves that belong together (*Save All*, a formatter), in milliseconds. */
export const burstMs = 500;

/**
 * Has the platform validate a model after a save (docs/platform-api.md#validatedatamodel, optional); resolves to `null` where it
 * cannot. The platform validates the files on the branch, so it is not asked while changes of the folder are not on the branch. A
 * platform that refuses, fails or does not answer in time is a verdict with that reason. Rejects when the folder cannot be compared.
 */
export async function validateSaved(
  { data, offers, learnOffers, clock }: OfferedData & { readonly clock: Clock },
  { target, modelPath, sync }: ValidatedModel,
  signal: AbortSignal,
): Promise<PlatformVerdict | null> {
  const { accountId, deploymentId, branchName: branch } = target;
  await clock.sleep(burstMs, signal);
  await learnOffers(accountId);
  if (!offers(accountId, 'validateDataModel')) return null;
  await sync?.flush();
  signal.throwIfAborted();
  const versions = data.of({ accountId, deploymentId }).versions.get();
  // The validation works without the version.
  const version = await versions.then(
    (all) => all.find(({ isCurrent }) => isCurrent)?.version,
    () => undefined,
  );
  const { entries } = sync ? await sync.plan({ signal }) : { entries: [] };
  const missing = notThere(entries);
  if (missing > 0) return { branch, version, state: 'skipped', reason: missingText(missing) };
  try {
    const { valid, errors } = await validateBranch(
      data.client(accountId),
      { deploymentId, branchName: branch },
      signal,
    );
    const found = errorsOf(valid, errors).map((error) => errorIn(modelPath, error, newerThere(entries), branch));
    return { branch, version, state: 'compiled', errors: found };
  } catch (error) {
    if (!isPlatformError(error) || isCancelled(error)) throw error;
    // The description of its API may name an operation that it does not have.
    return lacksOperation(error) ? null : { branch, version, state: 'skipped', reason: error.message };
  }
}

/** A platform without the operation has no route for it; one with the operation says in its own words what it did not find. */
function lacksOperation({ kind, status }: PlatformError): boolean {
  return kind === 'unsupported' || status === 405 || status === 501;
}

type PlatformErrorOfModel = { readonly message: string; readonly fileName?: string | undefined };

/** Returns the errors of an answer; a model is refused also without a reason, and a valid one has notes at most. */
function errorsOf(valid: boolean, errors: readonly PlatformErrorOfModel[]): readonly PlatformErrorOfModel[] {
  if (valid) return [];
  return errors.length > 0 ? errors : [{ message: 'The platform refuses this model and gives no reason.' }];
}

/** Counts the changes in the folder that are not on the branch. */
function notThere(entries: Plan['entries']): number {
  return entries.filter((entry) => direction(entry) === 'push' || entry.kind === 'conflict').length;
}

function missingText(count: number): string {
  return `${plural(count, 'change of the folder is', 'changes of the folder are')} not on the branch.`;
}

/** Returns the paths of the files whose text on the branch the folder does not have yet. */
function newerThere(entries: Plan['entries']): ReadonlySet<string> {
  return new Set(entries.filter((entry) => direction(entry) === 'pull').map(({ path }) => path));
}

/** Returns an error of the platform with a file name relative to the model, and without one where the folder has another text. */
function errorIn(
  modelPath: string,
  { message, fileName }: PlatformErrorOfModel,
  newer: ReadonlySet<string>,
  branch: string,
): PlatformErrorOfModel {
  if (fileName === undefined) return { message };
  const path = pathOnBranch(modelPath, fileName);
  if (newer.has(path)) return { message: withNote(message, `${path} on ${branch}, which is not pulled yet`) };
  return { message, fileName: pathInside(path, modelPath) ?? path };
}

/** Returns a path as the platform has it on a branch: an absolute one is that of the machine on which it compiles. */
function pathOnBranch(modelPath: string, fileName: string): string {
  const path = normalizePath(fileName.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
  if (modelPath === '' || isInside(path, modelPath)) return path;
  const at = /^[/\\]|^[a-z]:/i.test(fileName) ? `/${path}`.indexOf(`/${modelPath}/`) : -1;
  return at === -1 ? joinPath(modelPath, path) : path.slice(at);
}

/** Adds a note to the first line of a message. */
function withNote(message: string, note: string): string {
  const [first = '', ...rest] = message.split('\n');
  return [`${first} (in ${note})`, ...rest].join('\n');
}
