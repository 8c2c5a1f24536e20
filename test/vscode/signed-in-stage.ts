import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listDeployments } from '#api/resources/deployments.ts';
import { listNotifications } from '#api/resources/notifications.ts';
import { comparableUrl } from '#features/accounts/accounts.ts';
import { theExtension } from './extension.ts';
import { type SuitePlatform, startPlatform } from './platform.ts';
import type { Fixture } from './runner.ts';
import { press, type, User } from './user.ts';

/** What the suites of the platform’s views share: a platform, and a user who is signed in to it. */
export interface Stage {
  readonly platform: SuitePlatform;
  readonly user: User;
  readonly target: { readonly accountId: string; readonly deploymentId: string };
  /** Names of objects that answers to forms stand for. */
  readonly names: Readonly<Record<string, string>>;
  /** What was said while the user signed in. */
  readonly signedInWith: string;
}

const deploymentId = '1';

let opened: Stage | undefined;

/** Opened for the first suite of these views, and closed after the last one, in whatever order they come. */
export const platformViews: Fixture = {
  open: async () => {
    opened ??= await signIn();
  },
  close: async () => {
    if (!opened) return;
    const { user, platform, target } = opened;
    opened = undefined;
    if (await isSignedIn(target.accountId)) {
      await user.does('modelbench.signOut', { accountId: target.accountId }, press('Sign Out'));
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    user.leave();
    platform.stop();
  },
};

/** The stage, for tests of a `describe` that uses `platformViews`. */
export function stage(): Stage {
  assert.ok(opened, 'the test is in a describe that uses platformViews');
  return opened;
}

async function isSignedIn(accountId: string): Promise<boolean> {
  return (await vscode.authentication.getAccounts('modelbench')).some(({ id }) => id === accountId);
}

/** Signs in as a user does, who first types what is not right. */
async function signIn(): Promise<Stage> {
  await theExtension().extension.activate();
  const platform = await startPlatform();
  const user = new User();
  const signedInWith = await user.does(
    'modelbench.signIn',
    undefined,
    type('not an address'),
    type(platform.url),
    type('a wrong key'),
    type('wrong'),
    type(platform.apiKey),
  );
  const target = { accountId: comparableUrl(platform.url), deploymentId };
  const { data } = await platform.client.call(listDeployments, {});
  const notifications = await platform.client.call(listNotifications, { params: { deploymentId } });
  const names = {
    name: data.deployments.find(({ id }) => id === deploymentId)?.name ?? '',
    notification: notifications.data[0]?.name ?? '',
  };
  return { platform, user, target, names, signedInWith };
}

/** The requests that changed something since `requests` was last asked, a line each. */
export async function effects({ platform }: Stage): Promise<readonly string[]> {
  const sent = await platform.requests();
  return (
    sent
      .filter(({ method, status }) => method !== 'GET' && status < 400)
      // Editors complete members of the model, and previews show data: they get tokens for it, and query.
      .filter(({ path: to }) => !/\/tokens(?:-for-meta-sync)?$|^\/data\//.test(to))
      .map(({ method, path: to }) => `${method} ${to}`)
  );
}
