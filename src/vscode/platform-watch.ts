import * as vscode from 'vscode';
import { isPlatformError } from '#api/errors.ts';
import { asError } from '#base/async.ts';
import type { SyncSession } from '#features/sync-sessions.ts';
import type { Contribution } from './contribution.ts';
import type { Services } from './services.ts';

/** Tells the person what the platform changed under them: a key that is refused, a dev branch that is gone. */
export function platformWatch(services: Services): Contribution {
  const { accounts, data, session, syncs, logger } = services;
  return {
    id: 'platformWatch',
    register: (store) => {
      let told: ReadonlySet<string> = new Set();
      store.add(
        accounts.refused.onDidChange((refused) => {
          const fresh = [...refused].filter((id) => !told.has(id));
          told = refused;
          for (const id of fresh) void tellRefused(services, id);
        }),
      );
      store.add(
        data.onDidChange(() => {
          keepDevMode(services).catch((error: unknown) =>
            logger.error('Dev mode could not be checked', { stack: asError(error).stack }),
          );
        }),
      );
      const shown = new WeakMap<object, string>();
      store.add(
        syncs.onDidChange((changed) => {
          if (changed) void tellNotWritable(changed, shown);
        }),
      );
      store.add(session.active.onDidChange((target) => void (target && data.of(target).branches.start())));
    },
  };
}

async function tellRefused({ accountOf }: Services, id: string): Promise<void> {
  const account = accountOf(id);
  if (!account) return;
  const signIn = 'Sign In';
  const answer = await vscode.window.showWarningMessage(
    `${account.label} does not accept your key any more: it may have expired or been revoked. What you save stays here until you sign in again.`,
    signIn,
  );
  if (answer === signIn) await vscode.commands.executeCommand('modelbench.signIn', { accountId: id });
}

/** The platform refuses this branch: dev mode was stopped, or the key is in dev mode on another branch. */
async function tellNotWritable({ sync, target }: SyncSession, shown: WeakMap<object, string>): Promise<void> {
  const { error } = sync.status.value;
  if (!isPlatformError(error, 'forbidden')) {
    shown.delete(sync);
    return;
  }
  if (shown.get(sync) === error.message) return;
  shown.set(sync, error.message);
  const again = `Start Dev Mode on ${target.branchName}`;
  const answer = await vscode.window.showWarningMessage(
    `Nothing is sent to “${target.branchName}” now; your files are safe here. ${error.message}`,
    again,
    'Start Dev Mode…',
  );
  if (answer === again) await vscode.commands.executeCommand('modelbench.devMode.switch', target);
  else if (answer !== undefined) await vscode.commands.executeCommand('modelbench.devMode.start');
}

/** Leaves a dev branch that was deleted elsewhere; the local files stay as they are. */
async function keepDevMode({ data, session }: Services): Promise<void> {
  const target = session.active.value;
  const branches = target && data.known(target)?.branches.value;
  if (!target || !branches) return;
  const active = session.activeBranch(target);
  const lost = await session.keepOnly(target, new Set(branches.map(({ name }) => name)));
  if (!lost) return;
  const start = 'Start Dev Mode';
  const answer = await vscode.window.showWarningMessage(
    `The dev branch “${active ?? ''}” is gone from the platform. Your local files are untouched; start dev mode to push them to a new branch.`,
    start,
  );
  if (answer === start) await vscode.commands.executeCommand('modelbench.devMode.start');
}
