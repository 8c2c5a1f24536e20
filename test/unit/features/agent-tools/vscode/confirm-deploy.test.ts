import { describe, expect, it } from 'vitest';
import { confirmInWindow } from '#features/agent-tools/vscode/window-ports.ts';
import { User } from '../../../../vscode/user.ts';
import { gateQuestion } from '#features/platform/production-pass.ts';
import type { Answer } from '../../../../vscode/answers.ts';
import { escape, type } from '../../../../vscode/answers.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'main' };
/** As `deploy` of the tools describes what it uploads. */
const content = JSON.stringify(
  Array.from({ length: 7 }, (_, at) => ({ kind: 'upload', path: `model/cubes/${at}.yml`, hash: 'x', reason: 'added' })),
);

/** Asks the user about a deploy that an agent wants; resolves to the answer and what was asked. */
async function asked(answer: Answer) {
  const user = new User();
  const question = gateQuestion({
    ...{ step: 'deploy', from: 'folder', to: 'main', isDeploy: true, isProtected: false, deployment: 'Shop' },
    ...{ build: 'unknown', content },
  });
  if (!question) throw new Error('There is nothing to ask.');
  const confirmStep = async (): Promise<never> => Promise.reject(new Error('A folder is no branch to compare.'));
  let isYes = false;
  const folder = { path: '/shop', from: '/shop', folder: undefined, target: undefined, isLinked: false };
  await user.answering(async () => {
    const given = { title: question.title, detail: question.detail, question, typed: 'Shop', target };
    isYes = (await confirmInWindow({ confirmStep } as never, folder)(given)).ok;
  }, answer);
  user.leave();
  return { isYes, asked: user.asked };
}

describe('a deploy that an agent of the window wants', () => {
  it('is confirmed by its user with the name of the deployment, and names its files', async () => {
    const { isYes, asked: question } = await asked(type('Shop'));
    expect(isYes).toBe(true);
    expect(question).toMatch(
      /Production of “Shop” is rebuilt.*7 files of the folder differ: model\/cubes\/0\.yml, .*, …\./,
    );
  });

  it('is not done where its user gives no name', async () => {
    expect((await asked(escape)).isYes).toBe(false);
  });
});
