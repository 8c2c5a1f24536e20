import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confirmStep } from '#features/history/vscode/confirm-step.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import { ReviewPanels } from '#features/review/vscode/review-panels.ts';
import { User } from '../../../../vscode/user.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { Store } from '#base/store.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { gateQuestion } from '#features/platform/production-pass.ts';
import type { ReviewSource } from '#features/review/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import { approve, escape } from '../../../../vscode/answers.ts';

let desk: HandlerDesk;
let userState: User;
let dev: BranchTarget;
beforeEach(async () => {
  desk = await openHandlerDesk();
  userState = new User();
  dev = await startDevMode(desk, { ...desk.target, branchName: 'main' });
  const files = [{ path: 'model/cubes/new.yml', content: 'cubes: []\n' }];
  const body = { branchName: dev.branchName, files };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
});
afterEach(() => userState.leave());

/** The command, with real tabs of reviews. */
async function commit(): Promise<unknown> {
  const { extensionUri } = { extensionUri: { path: '/', scheme: 'file' } as never };
  const reviews = new ReviewPanels({
    accounts: { all: new Store<readonly { readonly id: string }[]>([]) },
    boundary: async () => undefined,
    context: { extensionUri },
  });
  const deps = {
    ...(desk.services as object),
    reviews,
    branchFiles: { text: async () => '' },
    remote: { refresh: async () => undefined, uri: () => undefined },
    review: async () => ({
      summary: 'One file was added.',
      lines: [],
      model: { summary: '1 cube added', lines: [] },
      show: async () => undefined,
    }),
  };
  const page = async (...given: readonly unknown[]): Promise<unknown> =>
    (confirmStep as (...all: readonly unknown[]) => Promise<unknown>)(deps, ...given);
  return gitCommands({ ...deps, confirmStep: page } as never)['modelbench.commit'](dev);
}

describe('a commit that reaches production, on its page', () => {
  const subject = async (): Promise<string> => desk.platform.control.git(1, 'log', '-1', '--format=%s', 'main');

  it('is sent with what was filled in', async () => {
    const page = approve('Commit to main (production)', { message: 'From the page' });
    const said = await userState.answering(commit, page);
    expect(said).toMatch(
      /^Commit to main \(production\)\n[^]*What changes: 1 cube added\nImpact: One file was added\./,
    );
    expect(await subject()).toBe('From the page\n');
  });

  it('is not sent where the page is closed, or has no message', async () => {
    const before = await subject();
    await userState.answering(commit, escape);
    const empty = approve('Commit to main (production)', { message: ' ' });
    await userState.answering(commit, empty, escape);
    expect(await subject()).toBe(before);
  });
});

describe('the page of a step that sends files of another branch', () => {
  it('shows those files as they are sent', async () => {
    const read: string[] = [];
    const sent = { by: 'main', paths: ['a.yml'] };
    const content = JSON.stringify(['a.yml', 'b.yml'].map((path) => [path, '1', '2']));
    const question = gateQuestion({
      ...{ step: 'commit', from: 'dev-ada-1', to: 'returns', isDeploy: false, isProtected: true, deployment: 'Shop' },
      ...{ build: 'unknown', content, replaced: sent },
    });
    const actions: (readonly string[])[] = [];
    const reviews = {
      open: async (source: ReviewSource) => {
        await source.texts?.('a.yml');
        await source.texts?.('b.yml');
        actions.push(Object.keys(source).filter((key) => key === 'diffAll' && source.diffAll !== undefined));
        source.close();
      },
    };
    const deps = {
      reviews,
      branchFiles: {
        text: async ({ branchName }: BranchTarget, path: string) => void read.push(`${path} of ${branchName}`),
      },
      remote: { refresh: async () => undefined },
      answers: { count: async () => 0 },
      review: async () => Promise.reject(new Error('The impact of the branch is not that of what is sent.')),
    };
    const target = { ...dev, branchName: 'dev-ada-1' };
    expect(await confirmStep(deps as never, target, question as never, {}, undefined)).toBeUndefined();
    expect(read.filter((file) => !file.endsWith('returns'))).toEqual(['a.yml of main', 'b.yml of dev-ada-1']);
    expect(actions).toEqual([[]]);
  });
});
