import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { compareCommands } from '#features/branches/vscode/compare-commands.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import { User } from '../../../../vscode/user.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import {
  branchCommands as branchArea,
  commands as table,
  compareCommands as compareArea,
  gitCommands as gitArea,
} from '#shell/commands/commands.ts';
import { isCancelled } from '#base/async.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import { escape, pick } from '../../../../vscode/answers.ts';

let desk: HandlerDesk;
let user: User;
beforeEach(async () => {
  desk = await openHandlerDesk();
  user = new User();
  const folder = (name: string, deploymentId: string): LinkedFolder => ({
    folderId: `file:///${name}`,
    name,
    link: { tenantUrl: desk.account.tenantUrl, deploymentId, modelPath: 'model' },
    problem: undefined,
  });
  desk.session.setLinks([folder('shop-model', '1'), folder('finance', '3')]);
});
afterEach(() => user.leave());

const deployment = (deploymentId: string): DeploymentTarget => ({ ...desk.target, deploymentId });
const run = async (id: string, argument?: unknown): Promise<unknown> => {
  const all: Readonly<Record<string, unknown>> = {
    ...branchCommands(desk.services),
    ...compareCommands(desk.services),
    ...gitCommands(desk.services),
  };
  return (all[id] as (argument?: unknown) => Promise<unknown>)(argument);
};

/**
 * How each command that changes a branch, deployment or folder finds out which one if it gets none: it asks for the deployment
 * first (`deployment`), or for a linked folder (`folder`).
 */
const ways: Readonly<Record<string, 'deployment' | 'folder'>> = {
  'modelbench.linkFolder': 'folder',
  'modelbench.cloneDeployment': 'deployment',
  'modelbench.devMode.start': 'deployment',
  'modelbench.devMode.stop': 'deployment',
  'modelbench.devMode.switch': 'deployment',
  'modelbench.branch.create': 'deployment',
  'modelbench.branch.delete': 'deployment',
  'modelbench.staging.enable': 'deployment',
  'modelbench.staging.disable': 'deployment',
  'modelbench.push': 'folder',
  'modelbench.pullFiles': 'folder',
  'modelbench.sync.pause': 'folder',
  'modelbench.sync.resume': 'folder',
  'modelbench.sync.sendWaiting': 'folder',
  'modelbench.sync.choosePush': 'folder',
  'modelbench.sync.putBack': 'folder',
  'modelbench.deploy': 'folder',
  'modelbench.trash.restore': 'folder',
  'modelbench.sync.history': 'folder',
  'modelbench.sync.undoPush': 'folder',
  'modelbench.sync.undoPull': 'folder',
  'modelbench.sync.verify': 'folder',
  'modelbench.commit': 'deployment',
  'modelbench.pull': 'deployment',
  'modelbench.merge': 'deployment',
  'modelbench.mergeToDefault': 'deployment',
  'modelbench.git.continue': 'deployment',
  'modelbench.git.abort': 'deployment',
  'modelbench.deployment.changeVersion': 'deployment',
  'modelbench.deployment.editVariables': 'deployment',
  'modelbench.deployment.dbtSync': 'deployment',
  'modelbench.deployment.delete': 'deployment',
  'modelbench.deployment.connectGithub': 'deployment',
  'modelbench.deployment.creationStep': 'deployment',
  'modelbench.notification.create': 'deployment',
  'modelbench.notification.delete': 'deployment',
  'modelbench.environment.createToken': 'deployment',
  'modelbench.workspace.create': 'deployment',
};

const samples = [
  { accountId: 'a', deploymentId: '1' },
  { accountId: 'a', deploymentId: '1', branchName: 'dev-1' },
  { folderId: 'file:///shop-model' },
];

describe('a window whose folders are linked to two deployments', () => {
  beforeEach(async () => {
    await startDevMode(desk, { ...deployment('1'), branchName: 'main' });
    await startDevMode(desk, { ...deployment('3'), branchName: 'main' });
    await desk.session.select(deployment('1'));
    await desk.data.deployments(desk.target.accountId).ensure();
  });

  it('knows how each command that changes something finds its deployment or folder', () => {
    const acting = Object.entries(table)
      .filter(([, { effect }]) => effect === 'changes')
      .filter(([, { read }]) => read({ accountId: 'a' }) === undefined)
      .filter(([, { read }]) => samples.some((sample) => read(sample) !== undefined))
      .map(([id]) => id);
    expect(Object.keys(ways).sort()).toEqual(acting.sort());
  });

  const here = Object.keys({ ...branchArea, ...compareArea, ...gitArea });
  it.each(here.filter((id) => ways[id] === 'deployment'))('asks which deployment: %s', async (id) => {
    await user.answering(async () => run(id).catch(silently), escape);
    expect(user.asked).toBe('Which deployment?');
  });

  it('asks nothing first where a row names it', async () => {
    await user.answering(async () => run('modelbench.devMode.stop', deployment('3')));
    expect(desk.session.activeBranch(deployment('3'))).toBeUndefined();
    expect(desk.session.activeBranch(deployment('1'))).toBeDefined();
  });

  it('stops dev mode of the deployment that the user picks', async () => {
    const name = desk.data.titleOf(deployment('3'));
    await user.answering(async () => run('modelbench.devMode.stop'), pick(name));
    expect(desk.session.activeBranch(deployment('3'))).toBeUndefined();
    expect(desk.session.activeBranch(deployment('1'))).toBeDefined();
  });

  it('asks nothing where only one of them has a dev branch', async () => {
    await user.answering(async () => run('modelbench.devMode.stop', deployment('1')));
    await user.answering(async () => run('modelbench.devMode.stop'));
    expect(desk.session.activeBranch(deployment('3'))).toBeUndefined();
  });

  it('starts dev mode where the user picks, and names the deployment in the question', async () => {
    await user.answering(
      async () => run('modelbench.devMode.start'),
      pick(desk.data.titleOf(deployment('3'))),
      pick('main'),
    );
    expect(desk.session.active.value).toEqual(deployment('3'));
  });

  it('asks nothing in a window whose folders share one deployment', async () => {
    desk.session.setLinks(desk.session.links.value.filter(({ name }) => name === 'shop-model'));
    await user.answering(async () => run('modelbench.devMode.start'), pick('main'));
    expect(desk.session.active.value).toEqual(deployment('1'));
  });
});

/** A command that the user cancels ends silently. */
function silently(error: unknown): void {
  if (!isCancelled(error)) throw error;
}
