import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { compareCommands } from '#features/branches/vscode/compare-commands.ts';
import { User } from '../../../../vscode/user.ts';
import { commit, deleteBranch } from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import type { ReviewDocument } from '#features/review/messages.ts';
import type { ReviewSource } from '#features/review/source.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import { escape, pick, press, type } from '../../../../vscode/answers.ts';

const path = 'model/cubes/new.yml';
let desk: HandlerDesk;
let user: User;
/** The pages that were shown. */
let shown: ReviewDocument[];
beforeEach(async () => {
  desk = await openHandlerDesk();
  user = new User();
  shown = [];
  await desk.data.deployments(desk.target.accountId).ensure();
});
afterEach(() => user.leave());

/** What the user does on a page of a deletion. */
type OnPage = (source: ReviewSource) => Promise<void>;
const confirmed: OnPage = async (source) =>
  void (await source.apply({ message: '', options: [], typed: source.document.value?.confirmation?.expected ?? '' }));
const closed: OnPage = async (source) => Promise.resolve(source.close());

function servicesOn(...pages: readonly OnPage[]): never {
  const left = [...pages];
  const open = async (source: ReviewSource): Promise<void> => {
    if (source.document.value) shown.push(source.document.value);
    await (left.shift() ?? closed)(source);
    source.close();
  };
  const services = desk.services as { readonly deletion: object };
  const page = {
    reviews: { open },
    remote: { refresh: async () => Promise.resolve() },
    branchFiles: { text: async () => Promise.resolve('') },
  };
  const deletion = { ...services.deletion, lost: { ...services.deletion, ...page } };
  return {
    ...services,
    deletion,
    pruning: { ...services.deletion, deletion, forks: { of: () => new Map() }, windows: { on: () => new Map() } },
  } as never;
}

const remove = async (target: BranchTarget, ...pages: readonly OnPage[]): Promise<unknown> =>
  branchCommands(servicesOn(...pages))['modelbench.branch.delete'](target);
const on = (branchName: string): BranchTarget => ({ ...desk.target, branchName });
const gone = async (): Promise<unknown> => (await desk.wire.last(deleteBranch))?.query;
const write = async ({ branchName }: BranchTarget, file = path): Promise<void> => {
  const body = { branchName, files: [{ path: file, content: 'cubes: []\n' }] };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
};

describe('Delete Branch', () => {
  it('shows the uncommitted files that are lost with a dev branch', async () => {
    const dev = await startDevMode(desk, on('main'));
    await write(dev);
    await remove(dev, closed);
    expect(await gone()).toBeUndefined();
    expect(shown).toMatchObject([
      {
        title: `Delete ${dev.branchName}`,
        warnings: [{ text: 'Its unmerged work is lost for everyone: 1 file differs from “main”.' }],
        action: { label: `Delete ${dev.branchName}` },
        groups: [{ label: 'Differs from main', rows: [{ path, kind: 'add' }] }],
      },
    ]);
    await remove(dev, confirmed);
    expect(await gone()).toEqual({ branchName: dev.branchName });
  });

  it('shows the commits that are lost with a shared branch, and what is forked from it', async () => {
    await desk.platform.control.colleagueCommit(1, 'returns-model', { [path]: 'cubes: []\n' });
    const dev = await startDevMode(desk, on('returns-model'));
    await remove(on('returns-model'), closed);
    expect(shown[0]?.warnings[0]?.text).toMatch(
      new RegExp(
        `^Its unmerged work is lost for everyone: .* from “main”\\. Branches that are forked from it: .*${dev.branchName}`,
      ),
    );
    expect(await gone()).toBeUndefined();
  });

  it('asks again where another file is on the branch by then', async () => {
    const dev = await startDevMode(desk, on('main'));
    await write(dev);
    await remove(dev, async (source) => {
      await write(dev, 'model/cubes/later.yml');
      await confirmed(source);
    });
    expect(shown.map(({ groups }) => groups[0]?.rows.length)).toEqual([1, 2]);
    expect(await gone()).toBeUndefined();
  });

  it('is a short question where nothing is lost, which says so', async () => {
    const dev = await startDevMode(desk, on('main'));
    await write(dev);
    await desk.client.call(commit, {
      params: { deploymentId: '1' },
      body: { message: 'x', branchName: dev.branchName },
    });
    const said = await user.answering(async () => remove(dev), press(`Delete ${dev.branchName}`));
    expect(said).toContain('No work is lost: its files are the same as on “main”.');
    expect(shown).toEqual([]);
    expect(await gone()).toEqual({ branchName: dev.branchName });
  });

  it('has the name of the deployment typed for the branch that production is built from', async () => {
    const main = on('main');
    const name = desk.data.nameOf(desk.target);
    await user.answering(async () => remove(main), escape);
    expect(await gone()).toBeUndefined();
    await expect(user.answering(async () => remove(main), type(name))).rejects.toThrow(/deploy branch/);
  });
});

describe('Prune Dev Branches', () => {
  it('says of each ticked branch what is lost, and deletes it only as that was shown', async () => {
    const dev = await startDevMode(desk, on('main'));
    await write(dev);
    await startDevMode(desk, on('returns-model'));
    const prune = async (): Promise<unknown> => compareCommands(servicesOn())['modelbench.branch.prune']();
    const said = await user.answering(prune, pick(dev.branchName), press('Delete'));
    expect(said).toContain(`${dev.branchName}: Its unmerged work is lost for everyone: 1 file differs from “main”.`);
    expect(await gone()).toEqual({ branchName: dev.branchName });
  });
});
