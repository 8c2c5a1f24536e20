import type { AccountClients } from '#api/client/client.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { abortable, isCancelled } from '#base/async.ts';
import { isInside, joinPath, normalizePath, pathInside } from '#base/path.ts';
import { plural } from '#base/words.ts';
import type { Clock } from '#base/clock.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { direction, type Plan } from '#sync/core/planning/plan.ts';
import { type AnsweredError, platformErrors } from '#model/engine/platform-errors.ts';
import type { EngineRefusal } from '#model/engine/engine-refusals.ts';
import { type OfferedData, validateBranch, type VersionEntry } from '#features/platform/index.ts';
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

/** What a validation needs of the window. */
export interface ValidationServices extends Omit<OfferedData, 'data'> {
  readonly data: AccountClients & {
    of(target: Omit<BranchTarget, 'branchName'>): {
      readonly versions: { get(): Promise<readonly Pick<VersionEntry, 'version' | 'isCurrent'>[]> };
    };
  };
  readonly clock: Clock;
}

/** Why a branch was not validated, where this can change without a save. */
export type Obstacle =
  /** The folder has changes that are not on the branch. */
  | { readonly kind: 'notUploaded' }
  /** The platform refuses the key. */
  | { readonly kind: 'refusedKey' }
  /** The platform fails, does not answer, or asks to wait. */
  | { readonly kind: 'failure'; readonly error: PlatformError };

/** The result of a validation. */
export interface Validation {
  readonly verdict: PlatformVerdict;
  readonly obstacle?: Obstacle | undefined;
}

/** How long to wait for further saves that belong together (*Save All*, a formatter), in milliseconds. */
export const burstMs = 500;

/** How long a verdict waits for the version of the engine, in milliseconds: it is worth showing without the version. */
const versionWaitMs = 2000;

/**
 * Has the platform validate a model after a save (docs/platform-api.md#validatedatamodel, optional); resolves to `null` where it
 * cannot. The platform validates the files on the branch, so it is not asked while changes of the folder are not on the branch. A
 * platform that refuses, fails or does not answer in time is a verdict with that reason. Rejects when cancelled, and for bugs.
 */
export async function validateSaved(
  services: ValidationServices,
  model: ValidatedModel,
  signal: AbortSignal,
): Promise<Validation | null> {
  const { data, offers, learnOffers, clock } = services;
  const { accountId, deploymentId, branchName: branch } = model.target;
  await clock.sleep(burstMs, signal);
  await abortable(learnOffers(accountId), signal);
  if (!offers(accountId, 'validateDataModel')) return null;
  const versions = data.of({ accountId, deploymentId }).versions.get();
  const current = versions.then(
    (all) => all.find(({ isCurrent }) => isCurrent)?.version,
    () => undefined,
  );
  const outcome = await compiled(services, model, signal);
  return outcome && withVersion(outcome, branch, await soon(current, clock));
}

type Outcome =
  | { readonly state: 'compiled'; readonly errors: readonly EngineRefusal[] }
  | { readonly state: 'skipped'; readonly reason: string; readonly obstacle?: Obstacle | undefined };

function withVersion(outcome: Outcome, branch: string, version: string | undefined): Validation {
  if (outcome.state === 'compiled') return { verdict: { branch, version, ...outcome } };
  const { state, reason, obstacle } = outcome;
  return { verdict: { branch, version, state, reason }, obstacle };
}

/** Resolves to the result of a validation without the version; to `null` if the platform cannot validate. */
async function compiled(
  { data }: ValidationServices,
  { target, modelPath, sync }: ValidatedModel,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const { accountId, deploymentId, branchName } = target;
  try {
    if (sync) await abortable(sync.flush(), signal);
    const { entries } = sync ? await sync.plan({ signal }) : { entries: [] };
    const missing = notThere(entries);
    if (missing > 0) return { state: 'skipped', reason: missingText(missing), obstacle: { kind: 'notUploaded' } };
    const { valid, errors } = await validateBranch(data.client(accountId), { deploymentId, branchName }, signal);
    const found = errorsOf(valid, errors).map((error) => errorIn(modelPath, error, newerThere(entries), branchName));
    return { state: 'compiled', errors: found };
  } catch (error) {
    if (!isPlatformError(error) || isCancelled(error)) throw error;
    // The description of its API may name an operation that it does not have.
    return lacksOperation(error) ? null : { state: 'skipped', reason: error.message, obstacle: obstacleOf(error) };
  }
}

/** Resolves to a value if it is known soon; rejects never. */
async function soon<T>(value: Promise<T | undefined>, clock: Clock): Promise<T | undefined> {
  const over = new AbortController();
  const late = clock.sleep(versionWaitMs, over.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([value, late]);
  } finally {
    over.abort();
  }
}

/** A platform without the operation has no route for it; one with the operation says in its own words what it did not find. */
function lacksOperation({ kind, status }: PlatformError): boolean {
  return kind === 'unsupported' || status === 405 || status === 501;
}

/** Returns what keeps the platform from judging; undefined where the same request would fail in the same way. */
function obstacleOf(error: PlatformError): Obstacle | undefined {
  switch (error.kind) {
    case 'auth':
      return { kind: 'refusedKey' };
    case 'rateLimit':
    case 'server':
    case 'network':
    case 'timeout':
      return { kind: 'failure', error };
    default:
      return undefined;
  }
}

/** Returns the errors of an answer; a model is refused also without a reason, and a valid one has notes at most. */
function errorsOf(valid: boolean, answered: readonly AnsweredError[]): readonly EngineRefusal[] {
  if (valid) return [];
  const errors = platformErrors(answered);
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
  { message, fileName, line }: EngineRefusal,
  newer: ReadonlySet<string>,
  branch: string,
): EngineRefusal {
  if (fileName === undefined) return { message };
  const path = pathOnBranch(modelPath, fileName);
  if (newer.has(path)) return { message: withNote(message, `${path} on ${branch}, which is not pulled yet`) };
  return { message, fileName: pathInside(path, modelPath) ?? path, ...(line === undefined ? {} : { line }) };
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
