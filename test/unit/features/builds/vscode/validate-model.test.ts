import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateOnPlatform } from '#features/builds/vscode/validate-model.ts';
import { shown } from '#support/fake-vscode.ts';
import { User } from '../../../../vscode/user.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import { press } from '../../../../vscode/answers.ts';

let desk: HandlerDesk;
let user: User;
beforeEach(async () => {
  desk = await openHandlerDesk();
  user = new User();
});
afterEach(() => user.leave());

describe('validating a model on the platform', () => {
  it('reports a valid model of any branch', async () => {
    await validateOnPlatform(desk.services, { ...desk.target, branchName: 'main' });
    expect(shown.statusBar.at(-1)).toMatch(/The data model of “main” is valid/);
  });

  it('makes the errors of the active branch problems', async () => {
    const dev = await startDevMode(desk, { ...desk.target, branchName: 'main' });
    const body = { branchName: dev.branchName, files: [{ path: 'model/x.yml', content: 'BROKEN' }] };
    await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    const validated: unknown[] = [];
    const builds = { validated: (...call: readonly unknown[]) => validated.push(call) };
    const services = { ...(desk.services as object), builds } as never;
    await user.answering(async () => validateOnPlatform(services, undefined), press('Show Problems'));
    expect(user.said).toMatch(/has 1 error/);
    expect(validated).toEqual([[dev, expect.stringContaining('model/x.yml')]]);
    expect(shown.commands.at(-1)).toEqual(['workbench.actions.view.problems']);
  });

  it('explains that a platform does not offer it, and that no branch is chosen', async () => {
    const none = { ...(desk.services as object), offers: () => false } as never;
    const main = { ...desk.target, branchName: 'main' };
    await expect(validateOnPlatform(none, main)).rejects.toThrow(/cannot validate/);
    await expect(validateOnPlatform(desk.services, undefined)).rejects.toThrow(/Choose a branch/);
  });
});
