import { describe, expect, it } from 'vitest';
import type { NamedTarget } from '#features/data/query-service.ts';
import { QueryTargets } from '#features/data/query-targets.ts';
import { localServer } from '#features/data/server-address.ts';
import { MemoryState } from '#support/memory-state.ts';

const production: NamedTarget = {
  target: { kind: 'environment', accountId: 'a', deploymentId: '1', environmentId: '7' },
  name: 'Shop · Production',
};
const local: NamedTarget = { target: { kind: 'cubeCore', restUrl: localServer }, name: 'Cube Core at localhost:4000' };
const far = 'https://cube.example.com/cubejs-api/v1';

function open({ answers = true, user = new MemoryState(), window = new MemoryState() } = {}) {
  const asked: string[] = [];
  const targets = new QueryTargets({
    user,
    window,
    environments: () => Promise.resolve([production]),
    answers: (restUrl) => {
      asked.push(restUrl);
      return Promise.resolve(answers);
    },
  });
  return { targets, asked, user, window };
}

describe('where queries can run', () => {
  it('holds the environments and the server on this machine, once it answers', async () => {
    const { targets } = open();
    expect(targets.all.value).toEqual([]);
    await targets.refresh();
    expect(targets.all.value).toEqual([production, local]);
    expect(await open({ answers: false }).targets.refresh()).toEqual([production]);
  });

  it('asks no other host than this machine, whatever servers were added', async () => {
    const { targets, asked } = open();
    await targets.add(far);
    await targets.refresh();
    expect(asked).toEqual([localServer]);
    expect(targets.all.value.map(({ name }) => name)).toEqual([
      production.name,
      local.name,
      'Cube Core at cube.example.com',
    ]);
  });

  it('holds what can be read when something cannot', async () => {
    const targets = new QueryTargets({
      user: new MemoryState(),
      window: new MemoryState(),
      environments: () => Promise.reject(new Error('offline')),
      answers: () => Promise.resolve(true),
    });
    expect(await targets.refresh()).toEqual([local]);
  });

  it('remembers added servers for all windows, each once', async () => {
    const { targets, user } = open({ answers: false });
    await targets.add(far);
    await targets.add(far);
    const other = open({ answers: false, user });
    expect((await other.targets.refresh()).map(({ name }) => name)).toEqual([
      production.name,
      'Cube Core at cube.example.com',
    ]);
  });
});

describe('where the queries of a folder run', () => {
  it('is remembered for the folder until the branch is chosen again', async () => {
    const { targets, window } = open();
    const folders: string[] = [];
    targets.onDidChoose((folder) => folders.push(folder));
    await targets.choose('file:///a', local.target);
    await targets.choose('file:///b', production.target);
    expect(folders).toEqual(['file:///a', 'file:///b']);
    const later = open({ window }).targets;
    expect([later.chosen('file:///a'), later.chosen('file:///b'), later.chosen('')]).toEqual([
      local.target,
      production.target,
      undefined,
    ]);
    await later.choose('file:///a', undefined);
    expect([later.chosen('file:///a'), later.chosen('file:///b')]).toEqual([undefined, production.target]);
  });

  it('is what the branch says where what was stored cannot be read', async () => {
    const window = new MemoryState();
    await window.set('query.chosen', { 'file:///a': { kind: 'somewhere' } });
    expect(open({ window }).targets.chosen('file:///a')).toBeUndefined();
  });

  it('is the choice, else the environment of the branch, else the server on this machine', async () => {
    const { targets } = open();
    await targets.add(far);
    await targets.choose('file:///a', { kind: 'cubeCore', restUrl: far });
    const branch = { accountId: 'a', deploymentId: '1', branchName: 'dev-ann' };
    expect(await targets.whereFor('file:///a', branch)).toEqual({ kind: 'cubeCore', restUrl: far });
    expect(await targets.whereFor('file:///b', branch)).toEqual({ kind: 'environment', ...branch });
    expect(await targets.whereFor('file:///b', undefined)).toEqual(local.target);
    expect(await open({ answers: false }).targets.whereFor('', undefined)).toBeUndefined();
  });
});
