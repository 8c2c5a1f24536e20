import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { create } from '#features/deployments/vscode/create-deployment.ts';
import { askVersion } from '#features/deployments/vscode/manage-deployment.ts';
import { connectToGithub } from '#features/deployments/vscode/github.ts';
import { createToken } from '#features/deployments/vscode/metadata-token.ts';
import { User } from '../../../../vscode/user.ts';
import { createDeployment, updateDeployment } from '#api/resources/deployments.ts';
import { connectGithub } from '#api/resources/github.ts';
import { listEnvironments } from '#api/resources/environments.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import { escape, pick, press, type } from '../../../../vscode/answers.ts';

let desk: HandlerDesk;
let user: User;
beforeEach(async () => {
  desk = await openHandlerDesk();
  user = new User();
});
afterEach(() => user.leave());

const places = [pick('N. Virginia'), pick('aws'), pick('upload'), pick('cli')];

describe('a new deployment', () => {
  it('is created with settings of its cloud provider, and keeps what was typed where it is refused', async () => {
    const make = async () => create(desk.services, desk.account.id);
    desk.platform.control.faults([{ kind: 'status', status: 403, path: 'deployments/$', method: 'POST', times: 1 }]);
    const typed = '{"aws": {"account": "1"}}';
    const refused = user.answering(make, type('Shop'), ...places, type('[]'), type(typed));
    await expect(refused).rejects.toThrow(/may not|403|forbidden/i);
    expect(user.said).toMatch(/Enter a JSON object/);
    await user.answering(make, type('Shop'), ...places, type(typed));
    expect(user.offered).toEqual(['Shop', typed]);
    expect((await desk.wire.last(createDeployment))?.body).toMatchObject({ csps: { aws: { account: '1' } } });
  });

  it('has no provider settings where the user enters none', async () => {
    await user.answering(async () => create(desk.services, desk.account.id), type('Plain'), ...places, type(' '));
    expect((await desk.wire.last(createDeployment))?.body).not.toHaveProperty('csps');
  });
});

describe('a new deployment on a platform that does not describe its values', () => {
  const silent = (path: string): void =>
    desk.platform.control.faults([{ kind: 'status', status: 404, path, method: 'GET' }]);
  const make = async () => create(desk.services, desk.account.id);

  it('can have a value that is not documented, which the platform judges', async () => {
    silent('/spec$');
    const answers = [
      pick('N. Virginia'),
      pick('aws'),
      pick('Another Value…'),
      type('snowpipe'),
      pick('cli'),
      type(' '),
    ];
    await expect(user.answering(make, type('Shop'), ...answers)).rejects.toThrow(/creationMethod/);
    expect((await desk.wire.last(createDeployment))?.body).toMatchObject({ creationMethod: 'snowpipe' });
  });

  it('needs no region where the platform lists none, and takes one that is typed', async () => {
    silent('/regions/$');
    const rest = [pick('aws'), pick('upload'), pick('cli'), type(' ')];
    await user.answering(make, type('Anywhere'), pick('Let the Platform Choose'), ...rest);
    expect((await desk.wire.last(createDeployment))?.body).not.toHaveProperty('region');
    await user.answering(make, type('There'), pick('Another Region…'), type('us-east-1'), ...rest);
    expect((await desk.wire.last(createDeployment))?.body).toMatchObject({ region: 'us-east-1' });
  });
});

describe('a connection to GitHub', () => {
  const github = async () => {
    const deploymentId = String(desk.platform.control.demo.connected);
    return connectToGithub(desk.services, { ...desk.target, deploymentId });
  };
  const sent = async () => (await desk.wire.last(connectGithub))?.body;

  it('is chosen from what the platform lists', async () => {
    await user.answering(
      github,
      pick('shop'),
      pick('marketing-model'),
      pick('main'),
      press('Connect Marketing to GitHub'),
    );
    expect(await sent()).toEqual({ owner: 'shop', repo: 'marketing-model', branch: 'main' });
  });

  it('is typed where the platform lists nothing', async () => {
    desk.platform.control.faults([
      { kind: 'status', status: 404, path: '/github/(installations|repositories)', method: 'GET' },
    ]);
    await expect(
      user.answering(
        github,
        type('shop'),
        type('shop/marketing-model'),
        type('main'),
        press('Connect Marketing to GitHub'),
      ),
    ).resolves.toContain('Enter an owner and a name');
    expect(await sent()).toEqual({ owner: 'shop', repo: 'marketing-model', branch: 'main' });
  });
});

describe('the settings of a deployment', () => {
  const change = async () => askVersion(desk.services, desk.target);

  it.each([
    ['Deploy Mode…', 'cli', { deployMode: 'cli' }],
    ['Creation Method…', 'ssh', { creationMethod: 'ssh' }],
  ])('%s', async (row, value, body) => {
    await user.answering(change, pick(row), pick(value), press('Change Settings'));
    expect((await desk.wire.last(updateDeployment))?.body).toEqual(body);
  });

  it('keep a name that was refused for the next attempt', async () => {
    desk.platform.control.faults([{ kind: 'status', status: 403, path: 'deployments/1$', method: 'PUT', times: 1 }]);
    const rename = [pick('Rename…'), type('Shop of tomorrow'), press('Change Settings')];
    await expect(user.answering(change, ...rename)).rejects.toThrow(/may not|403|forbidden/i);
    await user.answering(change, ...rename);
    expect(user.offered).toEqual(['Shop of tomorrow']);
    expect((await desk.wire.last(updateDeployment))?.body).toEqual({ name: 'Shop of tomorrow' });
  });
});

describe('the environment of a metadata token', () => {
  it('is chosen from those of one type where the user wants that', async () => {
    await user.answering(
      async () => createToken(desk.services, desk.target, undefined),
      pick('Only production'),
      pick('Production'),
      escape,
    );
    expect((await desk.wire.last(listEnvironments))?.query).toMatchObject({ type: 'production' });
  });
});
