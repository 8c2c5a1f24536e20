import * as branches from '#api/resources/branches.ts';
import * as model from '#api/resources/data-model.ts';
import { listEnvironments } from '#api/resources/environments.ts';
import { deleteUser } from '#api/resources/users.ts';
import type { Platform } from '#platform/app.ts';
import { errorOf, openPlatform, send } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };

async function start(platform: Platform, branchName: string, key?: string): Promise<string> {
  const { status, value } = await send(platform, branches.startDevMode, {
    params,
    body: { branchName },
    ...(key ? { key } : {}),
  });
  expect(status).toBe(200);
  return value.name;
}

const write = (platform: Platform, branchName: string, path: string, content: string, headers = {}) =>
  send(platform, model.writeDataModelFiles, { params, body: { branchName, files: [{ path, content }] }, headers });

describe('dev mode', () => {
  it('forks a personal branch at the head of the branch it is started on', async () => {
    const platform = await openPlatform();
    const name = await start(platform, 'main');
    expect(name).toBe('dev-ada-1');
    const { value } = await send(platform, branches.listBranches, { params });
    const [main, dev] = ['main', name].map((wanted) => value.data.find((branch) => branch.name === wanted));
    expect(dev).toMatchObject({ parentBranch: 'main', lastHash: main?.lastHash });
  });

  it('answers the same branch when it is asked for again, and another one after it was stopped', async () => {
    const platform = await openPlatform();
    expect(await start(platform, 'main')).toBe('dev-ada-1');
    expect(await start(platform, 'main')).toBe('dev-ada-1');
    expect(await start(platform, 'dev-ada-1')).toBe('dev-ada-1');
    await send(platform, branches.stopDevMode, { params });
    expect(await start(platform, 'main')).toBe('dev-ada-2');
  });

  it('of a deleted user may be deleted by anyone; the branch of another user only by that user', async () => {
    const platform = await openPlatform();
    const { staleDevBranch: branchName } = platform.control.demo;
    const remove = () => send(platform, branches.deleteBranch, { params, query: { branchName } });
    expect(errorOf(await remove())).toBe(`Branch "${branchName}" is another person's dev-mode branch.`);
    expect((await send(platform, deleteUser, { params: { id: 2 } })).status).toBe(204);
    expect((await remove()).status).toBe(204);
    const { value } = await send(platform, branches.listBranches, { params });
    expect(value.data.map(({ name }) => name)).not.toContain(branchName);
  });

  it('keeps a stopped branch with its work, and writes to it are refused until dev mode is on again', async () => {
    const platform = await openPlatform();
    const name = await start(platform, 'main');
    await write(platform, name, 'model/a.yml', 'cubes: []\n');
    expect((await send(platform, branches.stopDevMode, { params })).status).toBe(204);
    const refused = await write(platform, name, 'model/a.yml', 'other');
    expect(refused.status).toBe(403);
    expect(errorOf(refused)).toBe(`Branch "${name}" is not an active dev-mode branch: start dev mode on it again.`);
    expect(await start(platform, name)).toBe(name);
    expect(await platform.control.readFile(1, name, 'model/a.yml')).toBe('cubes: []\n');
  });

  it('has one branch a credential, and shows as a development environment while it is on', async () => {
    const platform = await openPlatform();
    const first = await start(platform, 'main');
    const second = await start(platform, platform.control.demo.sharedBranch);
    const { value } = await send(platform, listEnvironments, { params, query: { type: 'development' } });
    expect(value.data.environments.map(({ name }) => name)).toEqual([second]);
    expect((await write(platform, first, 'model/a.yml', 'x')).status).toBe(403);
  });

  it("refuses a colleague's dev branch", async () => {
    const platform = await openPlatform();
    const { staleDevBranch } = platform.control.demo;
    const answer = await send(platform, branches.startDevMode, { params, body: { branchName: staleDevBranch } });
    expect(answer.status).toBe(403);
    expect(errorOf(answer)).toContain("another person's dev-mode branch");
    expect((await write(platform, staleDevBranch, 'model/a.yml', 'x')).status).toBe(403);
  });
});

describe('writes to branches that are not dev branches', () => {
  it.each(['main', 'pricing-experiments'])('get a refusal on %s with a message that says so', async (branchName) => {
    const platform = await openPlatform();
    const before = await platform.control.hashes(1, branchName);
    const file = { path: 'model/cubes/orders.yml' };
    const answers = [
      await write(platform, branchName, file.path, 'x'),
      await send(platform, model.deleteDataModelFiles, { params, body: { branchName, files: [file] } }),
      await send(platform, model.renameDataModelFiles, {
        params,
        body: { branchName, files: [{ ...file, newPath: 'b' }] },
      }),
      await send(platform, branches.commit, { params, body: { branchName, message: 'no' } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(errorOf(answer)).toContain(`Branch "${branchName}" is not a dev-mode branch`);
    }
    expect(await platform.control.hashes(1, branchName)).toEqual(before);
  });

  it('answer 404 for a branch that does not exist', async () => {
    const platform = await openPlatform();
    expect((await write(platform, 'dev-nobody-1', 'model/a.yml', 'x')).status).toBe(404);
  });
});
