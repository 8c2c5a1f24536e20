import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { isPlatformError } from '#api/errors.ts';
import { asError } from '#base/async.ts';
import type { Account } from '#features/accounts/index.ts';
import { type DeletedTarget, DeletionWatch } from '#features/folders/deletion-watch.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { ErrorAction } from '#shell/user-error.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import type { DeletionDeps } from './deps.ts';
import { warnAndOffer } from '#shell/vscode/questions.ts';

/**
 * Notifies the user of changes on the platform that affect them: a branch that refuses writes, a branch or deployment that is
 * gone.
 */
export function platformWatch(deps: DeletionDeps): Contribution {
  const { data, session, syncs, logger } = deps;
  return {
    id: 'platformWatch',
    register: (store) => {
      const watch = new DeletionWatch(deps);
      const check = async (): Promise<void> => {
        for (const gone of await watch.check()) void tellGone(deps, gone);
      };
      store.add(
        data.onDidChange(() => {
          check().catch((error: unknown) =>
            logger.error('Deleted deployments and branches could not be detected', { stack: asError(error).stack }),
          );
        }),
      );
      const shown = new WeakMap<object, string>();
      store.add(
        syncs.onDidChange((changed) => {
          if (!changed) return;
          watch.checkAfter(changed);
          void tellNotWritable(changed, shown);
        }),
      );
      store.add(session.active.onDidChange((target) => void (target && data.of(target).branches.start())));
    },
  };
}

/** Asks for another key after a refusal; whatever waits for it continues with the new key. */
export async function promptSignIn({ id, label }: Account): Promise<void> {
  const signIn = 'Sign In';
  const answer = await vscode.window.showWarningMessage(
    text`${label} no longer accepts your key: it may have expired or been revoked. Saved files stay here until you sign in again.`,
    signIn,
  );
  if (answer === signIn) await execute('modelbench.signIn', { accountId: id });
}

/** Reports that the platform refuses this branch: dev mode was stopped, or the key is in dev mode on another branch. */
async function tellNotWritable({ sync, target }: SyncSession, shown: WeakMap<object, string>): Promise<void> {
  const { error } = sync.status.value;
  if (!isPlatformError(error, 'forbidden')) {
    shown.delete(sync);
    return;
  }
  if (shown.get(sync) === error.message) return;
  shown.set(sync, error.message);
  const again = text`Start Dev Mode on ${target.branchName}`;
  const answer = await vscode.window.showWarningMessage(
    text`Uploads to “${target.branchName}” have stopped; your files are safe here. ${error.message}`,
    again,
    text`Start Dev Mode…`,
  );
  if (answer === again) await execute('modelbench.devMode.switch', target);
  else if (answer !== undefined)
    await execute('modelbench.devMode.start', { accountId: target.accountId, deploymentId: target.deploymentId });
}

/** Reports what is gone, and offers a next step; the local files stay as they are. */
async function tellGone(deps: DeletionDeps, gone: DeletedTarget): Promise<void> {
  const { message, actions } = goneText(gone, deps.session.foldersOf(gone.target).length > 0);
  await warnAndOffer(message, actions);
}

function goneText(
  { kind, name, target }: DeletedTarget,
  isLinked: boolean,
): { readonly message: string; readonly actions: readonly ErrorAction[] } {
  if (kind === 'branch')
    return {
      message: `The dev branch “${name}” is gone from the platform. Your local files are untouched; start dev mode to push them to a new branch.`,
      actions: [{ title: 'Start Dev Mode', command: 'modelbench.devMode.start', argument: target }],
    };
  return {
    message: `The deployment “${name}” is gone from the platform, or your key no longer has access to it. Your local files are untouched.`,
    actions: [
      { title: 'Select Deployment', command: 'modelbench.selectDeployment' },
      ...(isLinked ? [{ title: 'Link Folder', command: 'modelbench.linkFolder' } as const] : []),
    ],
  };
}
