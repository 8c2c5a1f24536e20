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
  /** The folder that is uploaded to the branch; a document of the branch itself has none. */
  readonly sync?: UploadedFolder | undefined;
}

/** What of a folder's sync is needed to know when its branch has what was saved. */
export interface UploadedFolder {
  readonly flush: () => Promise<void>;
  readonly plan: (options: { readonly signal: AbortSignal }) => Promise<Pick<Plan, 'entries'>>;
}

/** How long saves are waited for that belong together (*Save All*, a formatter), milliseconds. */
export const burstMs = 500;

/**
 * What the platform says of a model after a save (docs/platform-api.md#validatedatamodel, optional); `null` where it cannot
 * validate. It judges what the branch has, so nothing is asked while files of the folder are not there. Rejects when offline.
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
  // The verdict does not need it.
  const version = await versions.then(
    (all) => all.find(({ isCurrent }) => isCurrent)?.version,
    () => undefined,
  );
  const missing = sync ? notThere(await sync.plan({ signal })) : 0;
  if (missing > 0) return { branch, version, state: 'skipped', reason: missingText(missing) };
  const request = { params: { deploymentId }, query: { branchName: branch } };
  const { errors } = await data.client(accountId).call(validateDataModel, request, { signal });
  const named = errors.map(({ message, fileName }) => ({ message, ...nameIn(modelPath, fileName) }));
  return { branch, version, state: 'judged', errors: named };
}

/** How many files the branch does not have as they are in the folder. */
function notThere({ entries }: Pick<Plan, 'entries'>): number {
  return entries.filter((entry) => direction(entry) === 'push' || entry.kind === 'conflict').length;
}

function missingText(count: number): string {
  return `${plural(count, 'change')} of the folder ${count === 1 ? 'is' : 'are'} not on the branch.`;
}

function nameIn(modelPath: string, fileName: string | undefined): { readonly fileName?: string } {
  if (fileName === undefined) return {};
  const prefix = modelPath === '' ? '' : `${modelPath}/`;
  const path = fileName.replace(/^\/+/, '');
  return { fileName: path.startsWith(prefix) ? path.slice(prefix.length) : path };
}
