import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlatformData } from '#features/platform/platform-data.ts';
import { SaveChoices } from '#features/folders/save-choice.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { UploadConsent } from '#features/folders/upload-consent.ts';
import type * as FakeVscode from '#support/fake-vscode.ts';
import { MemoryState } from '#support/memory-state.ts';
import type { choosePush as ChoosePush } from '#features/changes/vscode/push-question.ts';
import { type Answer, press } from '../../../../vscode/answers.ts';
import type { Person as People } from '../../../../vscode/person.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));

let choosePush: typeof ChoosePush;
let Person: typeof People;
let shown: typeof FakeVscode.shown;
let workspace: typeof FakeVscode.workspace;
let getConfiguration: unknown;
beforeAll(async () => {
  vi.resetModules();
  ({ choosePush } = await import('#features/changes/vscode/push-question.ts'));
  ({ shown, workspace } = (await import('vscode')) as unknown as typeof FakeVscode);
  ({ getConfiguration } = workspace);
  ({ Person } = await import('../../../../vscode/person.ts'));
});
afterAll(() => vi.resetModules());

let person: People;
let setting: boolean | undefined;
beforeEach(() => {
  person = new Person();
  setting = undefined;
  shown.commands.length = 0;
  Object.assign(workspace, {
    getConfiguration: () => ({ inspect: () => ({ defaultValue: true, globalValue: setting }) }),
  });
});
afterEach(() => {
  person.leave();
  Object.assign(workspace, { getConfiguration });
});

const folderId = 'file:///work/shop-model';

/** A folder that is linked to a deployment with this creation method, and the question after a save in it. */
function scene(creationMethod: string | undefined) {
  const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
  const session = { folder: { folderId, name: 'shop-model' }, target } as unknown as SyncSession;
  const user = new MemoryState();
  const data = {
    knownDeployments: () => [{ id: '1', name: 'Shop', creationMethod }],
    deployments: () => ({ ensure: () => Promise.resolve() }),
    nameOf: () => 'Shop',
  } as unknown as PlatformData;
  const services = { data, consent: new UploadConsent({ data, person: user }), saveChoices: new SaveChoices(user) };
  const ask = async (...answers: readonly Answer[]): Promise<string> =>
    person.answering(async () => choosePush(services, session), ...answers);
  const outcome = () => ({
    pushes: services.saveChoices.of(folderId, undefined),
    agreed: services.consent.missing(target) === undefined,
  });
  return { ask, outcome };
}

describe('the question how saved files are pushed', () => {
  it('is one question that says nothing of Git where the deployment takes uploads', async () => {
    const { ask, outcome } = scene('upload');
    const said = await ask(press('Push Automatically'));
    expect(said).toContain('Push files that you save in “shop-model” to “dev-ada-1” automatically?');
    expect(said).not.toContain('Git');
    expect(outcome()).toEqual({ pushes: true, agreed: true });
  });

  it('holds the warning where the platform does not say what feeds the deployment: pushing accepts the risk', async () => {
    const { ask, outcome } = scene(undefined);
    expect(await ask(press('Push Automatically'))).toMatch(/automatically\? .*whether a Git repository feeds “Shop”/);
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
    const said = await ask(press('Push Automatically…'));
    expect(said).toContain(
      '“Shop” is connected to GitHub, and pushes to GitHub and your uploads overwrite each other.',
    );
    expect(outcome()).toEqual({ pushes: undefined, agreed: false });
    await ask(press('Push Automatically…'), press('Upload Anyway'));
    expect(outcome()).toEqual({ pushes: true, agreed: true });
  });

  it.each(['upload', undefined, 'github'])('remembers nothing when it is closed (%s)', async (creationMethod) => {
    const { ask, outcome } = scene(creationMethod);
    await ask();
    expect(outcome()).toEqual({ pushes: undefined, agreed: creationMethod === 'upload' });
  });

  it.each([
    [true, 'Push Manually', 'Saved files are still pushed automatically: your setting “Sync: On Save” is on.'],
    [
      false,
      'Push Automatically',
      'Saved files are still not pushed automatically: your setting “Sync: On Save” is off.',
    ],
  ])('says that a setting overrules the answer (%s)', async (value, answer, message) => {
    setting = value;
    const { ask } = scene('upload');
    expect(await ask(press(answer), press('Open Setting'))).toContain(message);
    expect(shown.commands).toEqual([['workbench.action.openSettings', 'modelbench.sync.onSave']]);
  });

  it('says nothing of the setting while the missing consent holds the files back anyway', async () => {
    setting = true;
    const { ask, outcome } = scene(undefined);
    expect(await ask(press('Push Manually'))).not.toContain('setting');
    expect(outcome()).toEqual({ pushes: false, agreed: false });
  });
});
