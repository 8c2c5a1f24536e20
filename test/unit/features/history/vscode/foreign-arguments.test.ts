import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeDataModelFiles } from '#api/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { gatedRequests } from '#features/api-explorer/gated-request.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import type { GitAttempts, GitStep } from '#features/history/git-attempt.ts';
import { commands } from '#shell/commands/commands.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import type { gitCommands as GitCommands } from '#features/history/vscode/git-commands.ts';
import type { User as People } from '../../../../vscode/user.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));

let gitCommands: typeof GitCommands;
let User: typeof People;
beforeAll(async () => {
  vi.resetModules();
  ({ gitCommands } = await import('#features/history/vscode/git-commands.ts'));
  ({ User } = await import('../../../../vscode/user.ts'));
});
afterAll(() => vi.resetModules());

let desk: HandlerDesk;
let userState: People;
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

const ids = [
  'modelbench.commit',
  'modelbench.pull',
  'modelbench.merge',
  'modelbench.mergeToDefault',
  'modelbench.git.continue',
  'modelbench.git.abort',
] as const;

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
async function run(id: (typeof ids)[number], argument: unknown): Promise<readonly string[]> {
  const pages: string[] = [];
  const confirmStep: ConfirmStep = async (_target, { title }) => {
    pages.push(title);
    return Promise.resolve(undefined);
  };
  const handlers = gitCommands({ ...(desk.services as object), confirmStep } as never);
  const read = commands[id].read as (given: unknown) => never;
  await userState.answering(async () =>
    Promise.resolve(handlers[id](read(argument))).catch((error: unknown) => {
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

describe('a Git command that another extension runs', () => {
  it.each(ids)('sends nothing to production without the answer on its page: %s', async (id) => {
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
