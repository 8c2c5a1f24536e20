import { beforeEach, describe, expect, it } from 'vitest';
import { deleteDeployment, resetCreationStep, updateDeployment } from '#api/resources/deployments.ts';
import { readEnvVars, setEnvVars } from '#api/resources/runtime.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { EnvironmentVariables } from '#features/deployments/environment-variables.ts';
import { Github, moveSetup, parseRepository } from '#features/deployments/github.ts';
import { makeMetadataToken, parseSecurityContext } from '#features/deployments/metadata-token.ts';
import { removeDeployment } from '#features/deployments/remove-deployment.ts';
import { runDbtSync } from '#features/deployments/run-dbt-sync.ts';
import { changeSetting, settingValues } from '#features/deployments/settings.ts';
import { changeVersion, offeredVersions, typedVersion } from '#features/deployments/version-change.ts';
import { readBranchWrite } from '#features/platform/gated-branch.ts';
import { throughGate } from '#features/platform/production-pass.ts';
import { runDirectly } from '#support/operations.ts';
import { passFor } from '#support/confirmed-steps.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { Wire } from '#support/wire/wire.ts';

const operations = runDirectly();

let desk: Desk;
let wire: Wire;
let target: { readonly accountId: string; readonly deploymentId: string };
beforeEach(async () => {
  wire = new Wire();
  desk = await openDesk({ through: async (request, send) => (wire.note(request), send(request)) });
  target = { accountId: desk.account.id, deploymentId: '1' };
});

describe('the version of a deployment', () => {
  it('changes to one of the offered versions, which are then read again', async () => {
    const { versions, channels } = await offeredVersions(desk.data, target);
    expect(channels).toEqual([...new Set(channels)]);
    const releaseChannelVersion = versions.find(({ isCurrent }) => isCurrent !== true)?.releaseChannelVersion ?? '';
    await changeVersion(desk.data, target, { releaseChannelVersion });
    expect((await wire.last(updateDeployment))?.body).toEqual({ releaseChannelVersion });
    const now = await desk.data.of(target).versions.get();
    expect(now.find(({ isCurrent }) => isCurrent)?.version).toBe(
      versions.find((each) => each.releaseChannelVersion === releaseChannelVersion)?.version,
    );
  });

  it.each([
    [' v1.7.43 ', { releaseChannelVersion: 'v1.7.43' }],
    ['image:v1.2.3', { releaseChannelVersion: 'image:v1.2.3' }],
    ['newest', undefined],
  ])('is read from what a user types: %j', (typed, expected) => {
    expect(typedVersion(typed)).toEqual(expected);
  });
});

describe('a setting of a deployment', () => {
  it('is changed, and the list of deployments shows it', async () => {
    await desk.data.deployments(target.accountId).get();
    await changeSetting(desk.data, target, { name: 'Shop 2' });
    expect((await desk.data.deployments(target.accountId).get()).map(({ name }) => name)).toContain('Shop 2');
  });

  it('has the documented values where the server describes none', () => {
    expect(settingValues(undefined, 'deployMode')).toEqual(['git', 'cli']);
  });
});

describe('the environment variables of a deployment', () => {
  const added = { name: 'MODELBENCH_TEST', value: 'yes' };
  const edit = async (variables: EnvironmentVariables): Promise<unknown> => ({
    env_variables: [...(await variables.read()), added],
  });

  it('are written after the changes were confirmed', async () => {
    const variables = new EnvironmentVariables(desk.data, target);
    const asked: string[] = [];
    const written = await variables.save(await edit(variables), async (changes) => {
      asked.push(...changes.map(({ name }) => name));
      return true;
    });
    expect({ written, asked }).toEqual({ written: 1, asked: ['MODELBENCH_TEST'] });
    expect(variables.shown.map(({ name }) => name)).toContain('MODELBENCH_TEST');
  });

  it('stay as they are when the user says no', async () => {
    const variables = new EnvironmentVariables(desk.data, target);
    await expect(variables.save(await edit(variables), async () => false)).rejects.toThrow(/nothing was written/);
    expect(await wire.last(setEnvVars)).toBeUndefined();
  });

  it('are not written over a change that someone else made meanwhile', async () => {
    const variables = new EnvironmentVariables(desk.data, target);
    const mine = await edit(variables);
    const theirs = new EnvironmentVariables(desk.data, target);
    const env_variables = [...(await theirs.read()), { ...added, value: 'no' }];
    await theirs.save({ env_variables }, async () => true);
    await expect(variables.save(mine, async () => true)).rejects.toThrow(/Someone changed “MODELBENCH_TEST” meanwhile/);
    expect(await readEnvVars(desk.client, '1')).toHaveLength(theirs.shown.length);
  });

  it('keep what someone else changed meanwhile, and ask about the own changes only', async () => {
    const variables = new EnvironmentVariables(desk.data, target);
    const mine = await edit(variables);
    const theirs = new EnvironmentVariables(desk.data, target);
    const [first, ...rest] = await theirs.read();
    await theirs.save({ env_variables: [...rest, { name: 'THEIRS', value: '1' }] }, async () => true);
    const asked: string[] = [];
    await variables.save(mine, async (changes) => {
      asked.push(...changes.map(({ name, change }) => `${change} ${name}`));
      return true;
    });
    expect(asked).toEqual(['added MODELBENCH_TEST']);
    const names = variables.shown.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...rest.map(({ name }) => name), 'THEIRS', 'MODELBENCH_TEST'].toSorted());
    expect(names).not.toContain(first?.name);
  });
});

describe('environment variables that someone else changes while the question is open', () => {
  const [mine, theirs] = [
    { name: 'MINE', value: '1' },
    { name: 'THEIRS', value: '2' },
  ];
  const write = async (...rows: readonly object[]): Promise<void> => {
    const others = new EnvironmentVariables(desk.data, target);
    const env_variables = [...(await others.read()), ...rows];
    await others.save({ env_variables }, async () => true);
  };

  it('are kept beside the own changes, without another question', async () => {
    const variables = new EnvironmentVariables(desk.data, target);
    const env_variables = [...(await variables.read()), mine];
    let questions = 0;
    await variables.save({ env_variables }, async () => {
      questions += 1;
      await write(theirs);
      return true;
    });
    const names = variables.shown.map(({ name }) => name);
    expect([questions, names.filter((name) => ['MINE', 'THEIRS'].includes(name)).length]).toEqual([1, 2]);
  });

  it('are not written over where both changed the same one', async () => {
    const variables = new EnvironmentVariables(desk.data, target);
    const env_variables = [...(await variables.read()), mine];
    const saved = variables.save({ env_variables }, async () => {
      await write({ ...mine, value: 'theirs' });
      return true;
    });
    await expect(saved).rejects.toThrow(/Someone changed “MINE” meanwhile/);
    expect(await readEnvVars(desk.client, '1')).toContainEqual(
      expect.objectContaining({ name: 'MINE', value: 'theirs' }),
    );
  });
});

describe('a deployment', () => {
  it('is deleted and leaves the list', async () => {
    const before = await desk.data.deployments(target.accountId).get();
    await removeDeployment({ data: desk.data, operations }, target);
    expect(await wire.last(deleteDeployment)).toMatchObject({ path: { deploymentId: '1' } });
    expect(await desk.data.deployments(target.accountId).get()).toHaveLength(before.length - 1);
  });

  it('starts its setup again and answers its step', async () => {
    expect(typeof (await moveSetup(desk.data, target, 'startAgain'))).toBe('string');
    expect(await wire.last(resetCreationStep)).toBeDefined();
  });

  it('takes a dbt sync on a branch and names the branch to compare it with', async () => {
    const { signal } = new AbortController();
    const clock = { ...systemClock, sleep: async () => signal.throwIfAborted() };
    const withModels = { ...target, deploymentId: '3' };
    const pass = await passFor('dbtSync', { ...withModels, branchName: 'main' });
    const sync = runDbtSync({ data: desk.data, operations, logger: silentLogger, clock }, withModels, 'main', pass);
    expect(await sync).toMatchObject({ branchName: 'dbt-sync-main-1', against: 'main' });
  });

  it('waits for its own write where the window’s list is older than a colleague’s last commit', async () => {
    // A platform that writes the branch that was picked, which its description allows.
    desk = await openDesk({
      through: async (request, send) => {
        const answer = await send(request);
        if (request.method !== 'POST' || !request.url.endsWith('/dbt-sync')) return answer;
        return Response.json({ ...((await answer.json()) as object), branchName: 'main' });
      },
    });
    const { data, platform } = desk;
    await data.of(target).branches.get();
    await platform.control.colleagueCommit(1, 'main', { 'model/cubes/colleague.yml': 'cubes: []\n' });
    let waits = 0;
    const clock = {
      now: () => 0,
      sleep: async () => {
        waits += 1;
        if (waits === 2) await platform.control.colleagueCommit(1, 'main', { 'model/cubes/dbt.yml': 'cubes: []\n' });
      },
    };
    const outcome = await throughGate(
      { ...target, branchName: 'main' },
      {
        read: async () =>
          readBranchWrite({ data, isProtected: () => false }, { step: 'dbtSync', target, from: 'dbt', to: 'main' }),
        ask: async (question) => Promise.resolve(question),
        say: () => undefined,
      },
      async (pass) => runDbtSync({ data, operations, logger: silentLogger, clock }, target, 'main', pass),
    );
    expect(outcome).toMatchObject({ kind: 'sent', value: { branchName: 'main' } });
    expect(waits).toBe(2);
  });
});

describe('what an account sees of GitHub', () => {
  it('leads from an installation to the branches of a repository', async () => {
    const github = new Github(desk, desk.account.id);
    await github.requireConnection();
    const [installation] = await github.installations();
    if (!installation) throw new Error('The platform has no installation.');
    const [repository] = await github.repositories(installation);
    if (!repository) throw new Error('The installation has no repository.');
    expect(await github.branches(repository)).toContain(repository.defaultBranch);
  });

  it.each([
    [' acme/shop ', { owner: 'acme', repo: 'shop' }],
    ['acme', undefined],
    ['acme/shop/x', undefined],
  ])('can be a repository that is typed: %j', (typed, expected) => {
    expect(parseRepository(typed)).toEqual(expected);
  });
});

describe('a metadata token', () => {
  it('is made for an environment and says when it expires', async () => {
    const [environment] = await desk.data.of(target).environments.get();
    const made = await makeMetadataToken(desk.data, target, {
      environmentId: environment?.id ?? '',
      securityContext: {},
      lifetime: 60,
    });
    expect(made.token).not.toBe('');
    expect(made.expires).toBeInstanceOf(Date);
  });

  it('takes a JSON object as its security context and nothing else', () => {
    expect(parseSecurityContext('{"tenant": "acme"}')).toEqual({ tenant: 'acme' });
    expect(parseSecurityContext('[1]')).toBeUndefined();
  });
});
