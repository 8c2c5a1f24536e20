import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { compareCommands } from '#features/branches/vscode/compare-commands.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import { User } from '../../../../vscode/user.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { gatedRequests } from '#features/api-explorer/gated-request.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import type { GitAttempts, GitStep } from '#features/history/git-attempt.ts';
import type { ReviewSource } from '#features/review/source.ts';
import {
  branchCommands as branchArea,
  commands,
  compareCommands as compareArea,
  gitCommands as gitArea,
} from '#shell/commands/commands.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';

let desk: HandlerDesk;
let userState: User;
let dev: BranchTarget;
/** The number of requests that prepared the platform. */
let setUp: number;
beforeEach(async () => {
  desk = await openHandlerDesk();
  userState = new User();
  dev = await startDevMode(desk, { ...desk.target, branchName: 'main' });
  const body = { branchName: dev.branchName, files: [{ path: 'model/cubes/new.yml', content: 'cubes: []\n' }] };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: dev.deploymentId }, body });
  setUp = (await desk.wire.sent()).length;
});
afterEach(() => userState.leave());

/** Every command that changes something on branches. */
const ids = Object.entries({ ...branchArea, ...compareArea, ...gitArea })
  .filter(([, { effect }]) => effect === 'changes')
  .map(([id]) => id as CommandId);
type CommandId = keyof typeof branchArea | keyof typeof compareArea | keyof typeof gitArea;

/** What another extension might add to have a step sent without a question. */
const claims = {
  inputBox: { value: 'Sent by another extension' },
  confirmed: true,
  typed: 'main',
  pass: { step: 'commit', use: () => undefined },
  isDeploy: false,
  options: { squashCommits: false, switchToParentBranch: false, deleteBranch: false },
  input: { message: 'Sent by another extension', options: [], typed: 'Shop' },
};

/** Runs a command as VS Code does for any extension, with every page closed; answers the titles of the pages. */
async function run(id: CommandId, argument: unknown): Promise<readonly string[]> {
  const pages: string[] = [];
  const confirmStep: ConfirmStep = async (_target, { title }) => {
    pages.push(title);
    return Promise.resolve(undefined);
  };
  const reviews = {
    open: async (source: ReviewSource): Promise<void> => {
      pages.push(source.document.value?.title ?? '');
      source.close();
      return Promise.resolve();
    },
  };
  // The groups of services are one object here.
  const services: object = Object.assign(desk.services, { confirmStep, reviews, remote: { refresh: () => undefined } });
  const all = {
    ...branchCommands(services as never),
    ...compareCommands(services as never),
    ...gitCommands(services as never),
  };
  const handlers = all as Readonly<Record<string, (argument: never) => unknown>>;
  const read = commands[id].read as (given: unknown) => never;
  await userState.answering(async () =>
    Promise.resolve(handlers[id]?.(read(argument))).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
    }),
  );
  return pages;
}

async function gatedCalls(): Promise<readonly string[]> {
  return (await desk.wire.sent())
    .slice(setUp)
    .map(({ id }) => id)
    .filter((id) => Object.hasOwn(gatedRequests, id));
}

describe('a command that another extension, a keybinding or a task runs', () => {
  it('is any that changes something on branches', () => {
    expect(ids).toEqual(expect.arrayContaining(['modelbench.commit', 'modelbench.merge', 'modelbench.branch.delete']));
  });

  it.each(ids)('sends nothing through the gate without an answer of the user: %s', async (id) => {
    const { accountId, deploymentId, branchName } = dev;
    for (const argument of [
      { ...dev, ...claims },
      { accountId, deploymentId, branchName: 'main', ...claims },
      { accountId, deploymentId: Number(deploymentId), branchName, ...claims },
      { folderId: 'file:///nowhere', ...claims },
      [dev, claims],
      'main',
    ])
      await run(id, argument);
    expect(await gatedCalls()).toEqual([]);
  });

  it.each([
    ['the dev branch, with what is lost', async () => dev.branchName, /^Delete dev-/],
    ['production', async () => 'main', /^$/],
  ])('asks before the deletion of %s', async (_what, name, page) => {
    const branchName = await name();
    const [shown = ''] = await run('modelbench.branch.delete', { ...dev, branchName, ...claims });
    expect(shown).toMatch(page);
    expect(await gatedCalls()).toEqual([]);
  });

  it('shows the page with the message that it brings', async () => {
    expect(await run('modelbench.commit', { ...dev, ...claims })).toEqual(['Commit to main (production)?']);
  });

  it.each(['commit', 'merge', 'mergeToDefault'] as const)(
    'continues a stopped %s no further than its page',
    async (step: GitStep) => {
      const { attempts } = desk.services as { readonly attempts: GitAttempts };
      await attempts.stopped(dev, { message: '', paths: [] }, { step, from: 'main', typed: 'Typed before' });
      expect(await run('modelbench.git.continue', { ...dev, ...claims })).toEqual(['Commit to main (production)?']);
      expect(await gatedCalls()).toEqual([]);
    },
  );
});
