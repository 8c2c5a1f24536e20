import { openDiff } from '#shell/vscode/guarded/diff.ts';
import { asError } from '#base/async.ts';
import { textOf } from '#base/user-text.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import {
  type ConfirmedStep,
  differenceTitle,
  type StepForm,
  type StepImpact,
  stepReview,
} from '#features/history/step-review.ts';
import { branchKey, type ContentDifference, differencesOf, type GateQuestion } from '#features/platform/index.ts';
import type { RowTexts } from '#features/review/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import type { StepPageDeps } from './deps.ts';

/**
 * Shows a commit or a merge on a page of the editor area: the files, what they mean, the build, and the button that names the
 * destination. Resolves to the user's input; `undefined` if the page was closed.
 */
export async function confirmStep(
  deps: StepPageDeps,
  target: BranchTarget,
  question: GateQuestion,
  form: StepForm,
  check: Parameters<ConfirmStep>[3],
): Promise<ConfirmedStep | undefined> {
  const { situation } = question;
  const { files, replaced } = situation;
  const production = { ...target, branchName: situation.to ?? '' };
  const sides = (path: string): Sides => {
    const isReplaced = replaced?.paths.includes(path) === true;
    return [isReplaced ? { ...target, branchName: replaced.by } : target, production];
  };
  const differences = differencesOf(situation.content);
  // Cached files of both branches may be older than the list on the page, which they are taken from.
  const fresh = Promise.all([deps.remote.refresh(target, files?.own), deps.remote.refresh(production, files?.theirs)]);
  fresh.catch(() => undefined);
  const { source, answer } = stepReview(
    `step ${branchKey(target)}`,
    question,
    { differences, form },
    {
      texts: async (path) => {
        await fresh;
        return textsOf(deps, sides(path), fileOf(differences, path));
      },
      diff: async (path) => openChange(deps, question, sides(path), fileOf(differences, path)),
      // Neither branch has what is sent if files are replaced.
      ...(replaced ? {} : { diffAll: async () => compare(target, production) }),
      check,
      impact: async () => {
        if (replaced) return undefined;
        await fresh;
        return impactOf(deps, target, production);
      },
      answers: {
        count: async () => deps.answers.count(),
        compare: async () => deps.answers.compare(target, production),
      },
    },
  );
  await deps.reviews.open({ ...source, accountId: target.accountId });
  return answer;
}

/** The branches of which a file is compared: the one that is sent, and the one that is changed. */
type Sides = readonly [sent: BranchTarget, changed: BranchTarget];

async function compare(target: BranchTarget, { branchName }: BranchTarget): Promise<unknown> {
  return execute('modelbench.branch.compare', { ...target, against: branchName });
}

function fileOf(differences: readonly ContentDifference[], path: string): ContentDifference {
  const found = differences.find((each) => each.path === path);
  if (!found) throw new Error(`${path} is not in the review.`);
  return found;
}

async function textsOf(
  { branchFiles }: StepPageDeps,
  [target, production]: Sides,
  { path, before, after, from }: ContentDifference,
): Promise<RowTexts> {
  const [old, now] = await Promise.all([
    before === undefined && from === undefined ? undefined : branchFiles.text(production, from ?? path),
    after === undefined ? undefined : branchFiles.text(target, path),
  ]);
  return { before: old, after: now };
}

/** Opens the difference of a file; a file that exists only on one side is opened as it is. */
async function openChange(
  { remote }: StepPageDeps,
  { situation }: GateQuestion,
  [target, production]: Sides,
  { path, before, after, from }: ContentDifference,
): Promise<unknown> {
  const old = remote.uri(production, from ?? path);
  const now = remote.uri(target, path);
  if (after === undefined) return executeBuiltIn('vscode.open', old);
  if (before === undefined && from === undefined) return executeBuiltIn('vscode.open', now);
  return openDiff(old, now, textOf(differenceTitle(path, situation)));
}

/** Resolves to how the step affects users of the model; a failed review never blocks the step. */
async function impactOf(
  { review, logger }: StepPageDeps,
  from: BranchTarget,
  to: BranchTarget,
): Promise<StepImpact | undefined> {
  try {
    return await review(from, to);
  } catch (error) {
    logger.warn('The step could not be reviewed', { error: asError(error).message });
    return undefined;
  }
}
