import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { User } from '../../../../vscode/user.ts';
import { setBranchStagingEnvironment, startDevMode as startOperation } from '#api/resources/branches.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { demo } from '#platform/seed/names.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import { pick, press } from '../../../../vscode/answers.ts';

let desk: HandlerDesk;
let user: User;
beforeEach(async () => {
  desk = await openHandlerDesk();
  user = new User();
});
afterEach(() => user.leave());

const commands = () => branchCommands(desk.services);
const on = (branchName: string): BranchTarget => ({ ...desk.target, branchName });
const started = async (): Promise<unknown> => (await desk.wire.last(startOperation))?.body;

describe('Switch Dev Branch', () => {
  const switchTo = async (target?: BranchTarget) => commands()['modelbench.devMode.switch'](target);

  it('offers neither the active branch nor one of someone else', async () => {
    const first = await startDevMode(desk, on('returns-model'));
    const active = await startDevMode(desk, on('main'));
    const all = (await desk.data.of(desk.target).branches.get()).map(({ name }) => name);
    for (const name of [first.branchName, active.branchName, demo.staleDevBranch]) expect(all).toContain(name);
    await expect(user.answering(() => switchTo(), pick(active.branchName))).rejects.toThrow(
      `has no “${active.branchName}”: ${first.branchName}`,
    );
    await user.answering(() => switchTo(), pick(first.branchName));
    expect(await started()).toEqual({ branchName: first.branchName });
  });

  it('says how to get a branch where there is no other one', async () => {
    await startDevMode(desk, on('main'));
    await expect(user.answering(() => switchTo())).rejects.toThrow(/^You have no other dev branch on this computer\./);
  });

  it('asks whose it is before a branch that was not started here, and starts nothing after a no', async () => {
    await user.answering(() => switchTo(on(demo.staleDevBranch)));
    expect(await desk.wire.last(startOperation)).toBeUndefined();
    await expect(user.answering(() => switchTo(on(demo.staleDevBranch)), press('It Is My Branch'))).rejects.toThrow(
      /another person/,
    );
  });
});

describe('the staging environment of a branch', () => {
  it.each([
    ['modelbench.staging.enable', demo.sharedBranch],
    ['modelbench.staging.disable', demo.stagedBranch],
  ] as const)('is offered only for branches that may change it: %s', async (command, only) => {
    await startDevMode(desk, on('main'));
    await expect(user.answering(async () => commands()[command](undefined), pick('none of them'))).rejects.toThrow(
      new RegExp(`has no “none of them”: ${only}$`),
    );
  });

  it.each([
    ['modelbench.staging.enable', demo.sharedBranch, 'Enable Staging Environment', true],
    ['modelbench.staging.disable', demo.stagedBranch, 'Disable Staging Environment', false],
  ] as const)('changes only after a question that names it: %s', async (command, name, button, enabled) => {
    const change = async (): Promise<unknown> => (await desk.wire.last(setBranchStagingEnvironment))?.body;
    await desk.data.deployments(desk.target.accountId).ensure();
    const asked = await user.answering(async () => commands()[command](on(name)));
    expect(asked).toContain(`“${name}” of “Shop analytics”?`);
    expect(await change()).toBeUndefined();
    await user.answering(async () => commands()[command](on(name)), press(button));
    expect(await change()).toEqual({ branchName: name, enabled });
  });
});
