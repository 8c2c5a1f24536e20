import { validateDataModel } from '#api/data-model.ts';
import { plural } from '#base/words.ts';
import type { Clock } from '#base/clock.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { direction, type Plan } from '#sync/core/plan.ts';
import type { OfferedData } from '#features/platform/index.ts';
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
 * cannot. The platform validates the files on the branch, so it is not asked while changes of the folder are not on the branch.
 * Rejects when offline.
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
  const missing = sync ? notThere(await sync.plan({ signal })) : 0;
  if (missing > 0) return { branch, version, state: 'skipped', reason: missingText(missing) };
  const request = { params: { deploymentId }, query: { branchName: branch } };
  const { errors } = await data.client(accountId).call(validateDataModel, request, { signal });
  const named = errors.map(({ message, fileName }) => ({ message, ...nameIn(modelPath, fileName) }));
  return { branch, version, state: 'compiled', errors: named };
}

/** Counts the changes in the folder that are not on the branch. */
function notThere({ entries }: Pick<Plan, 'entries'>): number {
  return entries.filter((entry) => direction(entry) === 'push' || entry.kind === 'conflict').length;
}

function missingText(count: number): string {
  return `${plural(count, 'change of the folder is', 'changes of the folder are')} not on the branch.`;
}

function nameIn(modelPath: string, fileName: string | undefined): { readonly fileName?: string } {
  if (fileName === undefined) return {};
  const prefix = modelPath === '' ? '' : `${modelPath}/`;
  const path = fileName.replace(/^\/+/, '');
  return { fileName: path.startsWith(prefix) ? path.slice(prefix.length) : path };
}
