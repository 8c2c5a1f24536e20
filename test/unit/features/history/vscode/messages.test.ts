import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBranch, mergeToDefault } from '#api/branches.ts';
import { writeDataModelFiles } from '#api/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import type { branchCommands as BranchCommands } from '#features/branches/vscode/branch-commands.ts';
import type { gitCommands as GitCommands } from '#features/history/vscode/git-commands.ts';
import type { Person as People } from '../../../../vscode/person.ts';
import { pick, press, type } from '../../../../vscode/answers.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));

let branchCommands: typeof BranchCommands;
let gitCommands: typeof GitCommands;
let Person: typeof People;
beforeAll(async () => {
  vi.resetModules();
  ({ branchCommands } = await import('#features/branches/vscode/branch-commands.ts'));
  ({ gitCommands } = await import('#features/history/vscode/git-commands.ts'));
  ({ Person } = await import('../../../../vscode/person.ts'));
});
afterAll(() => vi.resetModules());

let desk: HandlerDesk;
let person: People;
beforeEach(async () => {
  desk = await openHandlerDesk();
  person = new Person();
});
afterEach(() => person.leave());

async function developing(): Promise<BranchTarget> {
  return startDevMode(desk, { ...desk.target, branchName: 'main' });
}

async function write({ branchName }: BranchTarget): Promise<void> {
  const body = { branchName, files: [{ path: 'model/cubes/new.yml', content: 'cubes: []\n' }] };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
}

describe('a merge to the default branch', () => {
  it('has the message that the user typed, and keeps it where the platform refuses', async () => {
    const dev = await developing();
    await write(dev);
    const merge = gitCommands(desk.services)['modelbench.mergeToDefault'];
    const answers = [press('Merge to Default'), pick('Keep the dev branch'), type('New cubes')];
    await expect(person.answering(async () => merge(dev), ...answers)).rejects.toThrow(/commit them first/);
    const commit = gitCommands(desk.services)['modelbench.commit'];
    await person.answering(async () => commit(dev), type('Add cubes'));
    await person.answering(async () => merge(dev), ...answers);
    expect(person.offered).toEqual(['New cubes']);
    expect((await desk.wire.last(mergeToDefault))?.body).toMatchObject({ message: 'New cubes' });
  });

  it('has the platform’s own message where the user typed none', async () => {
    const dev = await developing();
    const merge = gitCommands(desk.services)['modelbench.mergeToDefault'];
    await person.answering(async () => merge(dev), press('Merge to Default'), pick('Keep the dev branch'), type(' '));
    const { body } = (await desk.wire.last(mergeToDefault)) ?? {};
    expect(body).toEqual({ branchName: dev.branchName, removeBranchAfterMerge: false });
  });
});

describe('a commit', () => {
  it('keeps the message that was typed for a commit that failed', async () => {
    const dev = await developing();
    await write(dev);
    desk.platform.control.faults([{ kind: 'status', status: 503, path: 'commit', times: 1 }]);
    const commit = gitCommands(desk.services)['modelbench.commit'];
    await expect(person.answering(async () => commit(dev), type('Add cubes'))).rejects.toThrow(/commit/);
    await person.answering(async () => commit(dev), type('Add cubes'));
    expect(person.offered).toEqual(['Add cubes']);
  });
});

describe('a new shared branch', () => {
  const create = async (choice: string): Promise<void> => {
    const { 'modelbench.branch.create': run } = branchCommands(desk.services);
    await person.answering(async () => run(desk.target), type('feature/new'), pick(choice));
  };

  it('leaves the branch that the user works on alone', async () => {
    await create('Create Branch');
    expect(desk.session.activeBranch(desk.target)).toBeUndefined();
    expect((await desk.wire.last(createBranch))?.body).toEqual({ name: 'feature/new', parentBranch: 'main' });
  });

  it('is worked on at once where the user wants that', async () => {
    await create('Create Branch and Start Dev Mode');
    const active = desk.session.activeBranch(desk.target);
    expect(active).toMatch(/^dev-/);
    expect((await desk.wire.last(createBranch))?.body).toMatchObject({ enterDevMode: true });
    const branches = await desk.data.of(desk.target).branches.get();
    expect(branches.find(({ name }) => name === active)?.parentBranch).toBe('feature/new');
  });
});
