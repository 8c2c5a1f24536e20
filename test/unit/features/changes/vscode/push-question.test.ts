import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformData } from '#features/platform/platform-data.ts';
import { SaveChoices } from '#features/folders/save-choice.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { UploadConsent } from '#features/folders/upload-consent.ts';
import { shown } from '#support/fake-vscode.ts';
import { MemoryPushSetting } from '#support/push-setting.ts';
import { MemoryState } from '#support/memory-state.ts';
import { choosePush } from '#features/changes/vscode/push-question.ts';
import { type Answer, press } from '../../../../vscode/answers.ts';
import { User } from '../../../../vscode/user.ts';

let userState: User;
beforeEach(() => {
  userState = new User();
  shown.commands.length = 0;
});
afterEach(() => userState.leave());

const folderId = 'file:///work/shop-model';

/** A folder that is linked to a deployment with this creation method, and the question after a save in it. */
function scene(creationMethod: string | undefined, setting = new MemoryPushSetting()) {
  const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
  const session = { folder: { folderId, name: 'shop-model' }, target } as unknown as SyncSession;
  const user = new MemoryState();
  const data = {
    knownDeployments: () => [{ id: '1', name: 'Shop', creationMethod }],
    deployments: () => ({ ensure: () => Promise.resolve() }),
    nameOf: () => 'Shop',
  } as unknown as PlatformData;
  const consent = new UploadConsent({ data, userState: user });
  const services = { data, consent, saveChoices: new SaveChoices(setting, user) };
  const ask = async (...answers: readonly Answer[]): Promise<string> =>
    userState.answering(async () => choosePush(services, session), ...answers);
  const turn = async (automatically: boolean, ...answers: readonly Answer[]): Promise<string> =>
    userState.answering(async () => choosePush(services, session, automatically), ...answers);
  const outcome = () => ({
    pushes: setting.ofUser(),
    agreed: services.consent.missing(target) === undefined,
  });
  return { ask, turn, outcome };
}

describe('the question how saved files are pushed', () => {
  it('is one question that says nothing of Git where the deployment takes uploads', async () => {
    const { ask, outcome } = scene('upload');
    expect(await ask(press('Push Automatically'))).toMatchInlineSnapshot(
      `"Push saved files to “dev-ada-1” automatically? This applies to all linked folders; others see the files only when you commit, and deletions always wait for a push."`,
    );
    expect(outcome()).toEqual({ pushes: true, agreed: true });
  });

  it('shows the warning where the platform does not report the source of the deployment', async () => {
    const { ask, outcome } = scene(undefined);
    expect(await ask(press('Push Automatically'))).toMatchInlineSnapshot(
      `"Push saved files to “dev-ada-1” automatically? This applies to all linked folders, and the platform does not say whether a Git repository feeds “Shop”; if one does, its pushes and your uploads overwrite each other."`,
    );
    expect(outcome()).toEqual({ pushes: true, agreed: true });
  });

  it('accepts no risk where the user pushes manually, and shows the changes', async () => {
    const { ask, outcome } = scene(undefined);
    await ask(press('Push Manually'));
    expect(outcome()).toEqual({ pushes: false, agreed: false });
    expect(shown.commands).toEqual([['modelbench.changes.focus']]);
  });

  it('is followed by the stronger warning where a Git repository certainly feeds the deployment', async () => {
    const { ask, outcome } = scene('github');
    expect(await ask(press('Push Automatically…'))).toMatchInlineSnapshot(`
      "Push saved files to “dev-ada-1” automatically? This applies to all linked folders, and “Shop” is connected to GitHub: pushes to GitHub and your uploads overwrite each other.
      Upload to “Shop”, which is connected to GitHub?
      Uploads and pushes to GitHub overwrite each other, and Modelbench does not ask again for this deployment."
    `);
    expect(outcome()).toEqual({ pushes: undefined, agreed: false });
    await ask(press('Push Automatically…'), press('Upload Anyway'));
    expect(outcome()).toEqual({ pushes: true, agreed: true });
  });

  it.each(['upload', undefined, 'github'])('remembers nothing when it is closed (%s)', async (creationMethod) => {
    const { ask, outcome } = scene(creationMethod);
    await ask();
    expect(outcome()).toEqual({ pushes: undefined, agreed: creationMethod === 'upload' });
  });

  it('says that the settings of the folder turn it off in spite of the answer', async () => {
    const { ask, outcome } = scene('upload', new MemoryPushSetting(undefined, false));
    expect(await ask(press('Push Automatically'), press('Open Setting'))).toMatchInlineSnapshot(`
      "Push saved files to “dev-ada-1” automatically? This applies to all linked folders; others see the files only when you commit, and deletions always wait for a push.
      Saved files are still not pushed automatically: the settings of this folder turn it off."
    `);
    expect(outcome().pushes).toBe(true);
    expect(shown.commands).toEqual([['workbench.action.openSettings', 'modelbench.sync.onSave']]);
  });
});

describe('the row that turns automatic pushes on and off', () => {
  it('asks nothing where there is no risk', async () => {
    const { turn, outcome } = scene('upload');
    expect(await turn(true)).toBe('');
    expect(outcome()).toEqual({ pushes: true, agreed: true });
    expect(await turn(false)).toBe('');
    expect(outcome()).toEqual({ pushes: false, agreed: true });
  });

  it('asks for the consent before it turns them on, and changes nothing without it', async () => {
    const { turn, outcome } = scene('github');
    expect(await turn(true)).toMatchInlineSnapshot(`
      "Upload to “Shop”, which is connected to GitHub?
      Uploads and pushes to GitHub overwrite each other, and Modelbench does not ask again for this deployment."
    `);
    expect(outcome()).toEqual({ pushes: undefined, agreed: false });
    await turn(true, press('Upload Anyway'));
    expect(outcome()).toEqual({ pushes: true, agreed: true });
    expect(await turn(false)).toBe('');
    expect(outcome().pushes).toBe(false);
  });
});
