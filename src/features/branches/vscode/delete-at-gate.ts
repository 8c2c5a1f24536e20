import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { deleteBranch } from '#features/branches/dev-mode.ts';
import { deletionReview } from '#features/branches/deletion-review.ts';
import { type LostWork, losesFiles, lostText, readLostWork } from '#features/branches/lost-work.ts';
import {
  branchKey,
  type ContentDifference,
  type GateOutcome,
  type GateQuestion,
  type ProductionPass,
  readBranchWrite,
  throughGate,
} from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import type { BranchDeletionDeps } from './deps.ts';

/** Asks whether to delete a branch, and shows what is lost. */
export type AskDeletion = (question: GateQuestion, work: LostWork) => Promise<boolean>;

/**
 * Deletes a branch through the production gate. `ask` is called again if the branch has changed meanwhile. Resolves to `nothing` if
 * someone else has deleted it.
 */
export async function deleteAtGate(
  deps: BranchDeletionDeps,
  { accountId, deploymentId, branchName }: BranchTarget,
  ask: AskDeletion,
): Promise<GateOutcome<void>['kind']> {
  const deployment = { accountId, deploymentId };
  const target = { ...deployment, branchName };
  let work: LostWork | undefined;
  const read = async (): ReturnType<typeof readBranchWrite> => {
    work = await readLostWork({ data: deps.data, syncs: deps.lost.syncs }, target);
    const write = { step: 'deleteBranch', target: deployment, from: branchName, to: branchName } as const;
    const reader = { data: deps.data, isProtected: (branch: BranchTarget) => isProtected(deps, branch) };
    return readBranchWrite(reader, { ...write, content: work === undefined ? '' : contentOf(work) });
  };
  const outcome = await throughGate(
    target,
    {
      read,
      ask: async (question) => (work !== undefined && (await ask(question, work)) ? question : undefined),
      say: (hint) => {
        void vscode.window.showInformationMessage(textOf(hint));
        void deps.data.of(target).branches.invalidate();
      },
    },
    async (pass: ProductionPass) =>
      deps.operations.run({
        label: `Deleting branch ${branchName}`,
        key: `branches ${accountId} ${deploymentId} ${branchName}`,
        run: async () => deleteBranch(deps, target, pass),
      }),
  );
  return outcome.kind;
}

/** Returns what is lost as a text that is equal exactly if it is. Changes in folders stay, whatever happens to the branch. */
function contentOf({ parent, files, forks }: LostWork): string {
  return JSON.stringify([parent, files, forks]);
}

/** Asks on a page that lists the files that are lost; in a dialog if there are none, or if they are not known. */
export async function askDeletion(
  deps: Pick<BranchDeletionDeps, 'lost'>,
  target: BranchTarget,
  question: GateQuestion,
  work: LostWork,
): Promise<boolean> {
  const { parent, files = [] } = work;
  const { branchFiles, remote, reviews } = deps.lost;
  if (!losesFiles(work) || parent === undefined) {
    const { button, typed, detail } = question;
    const title = `Delete branch “${target.branchName}”?`;
    return confirm({ title, detail: `${lostText(work)} ${detail}`.trim(), button, typed });
  }
  const kept = { ...target, branchName: parent };
  const fresh = Promise.all([remote.refresh(target), remote.refresh(kept)]);
  fresh.catch(() => undefined);
  const fileOf = (id: string): ContentDifference | undefined => files.find(({ path }) => path === id);
  const compare = async (): Promise<unknown> => execute('modelbench.branch.compare', { ...target, against: parent });
  const { source, answer } = deletionReview(`delete ${branchKey(target)}`, question, work, {
    texts: async (id) => {
      await fresh;
      const file = fileOf(id);
      const [before, after] = await Promise.all([
        file?.before === undefined && file?.from === undefined ? undefined : branchFiles.text(kept, file.from ?? id),
        file?.after === undefined ? undefined : branchFiles.text(target, id),
      ]);
      return { before, after };
    },
    diff: compare,
    diffAll: compare,
  });
  await reviews.open({ ...source, accountId: target.accountId });
  return answer;
}
