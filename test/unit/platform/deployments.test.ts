import * as branches from '#api/resources/branches.ts';
import { filesOf, listDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import * as api from '#api/resources/deployments.ts';
import * as github from '#api/resources/github.ts';
import { getBuildStatus } from '#api/resources/runtime.ts';
import { git } from '#platform/git/git.ts';
import type { Platform } from '#platform/app.ts';
import { errorOf, openPlatform, refusalOf, send } from '#support/platform.ts';
import { indented, yaml } from '#support/language/raw.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };

describe('versions', () => {
  const update = (platform: Platform, body: { releaseChannelVersion?: string; releaseChannel?: string }) =>
    send(platform, api.updateDeployment, { params, body });
  const list = async (platform: Platform) => (await send(platform, api.listDeploymentVersions, { params })).value.data;

  it('include the head of each channel and the older ones that the account has run', async () => {
    const platform = await openPlatform();
    expect(
      (await list(platform)).map((row) => [row.version, row.releaseChannel, row.isLatestInChannel, row.isCurrent]),
    ).toEqual([
      ['1.6.43', 'stable', true, false],
      ['1.7.43', 'latest', true, true],
      ['1.8.2', 'preview', true, false],
      ['1.5.2', 'stable', false, false],
    ]);
  });

  it.each(['1.8.2', 'v1.8.2', 'registry.local/engine:v1.8.2'])('take the form %s', async (releaseChannelVersion) => {
    const platform = await openPlatform();
    const { value } = await update(platform, { releaseChannelVersion });
    expect(value).toMatchObject({ releaseChannelVersion: 'registry.local/engine:v1.8.2', releaseChannel: 'preview' });
    expect((await list(platform)).find(({ isCurrent }) => isCurrent)).toMatchObject({ version: '1.8.2' });
  });

  it('cause a 400 when they are not on the list', async () => {
    const platform = await openPlatform();
    for (const version of ['9.9.9', 'v1.0.0', 'other/image:v1.8.2']) {
      const refused = await update(platform, { releaseChannelVersion: version });
      expect(refusalOf(refused)).toBe(`400 releaseChannelVersion: "${version}" is not on the version list`);
    }
    expect(refusalOf(await update(platform, { releaseChannel: 'nightly' }))).toBe(
      '400 releaseChannel: "nightly" is not one of stable, latest, preview',
    );
  });

  it('move to the head of a channel that is named alone', async () => {
    const platform = await openPlatform();
    expect((await update(platform, { releaseChannel: 'stable' })).value).toMatchObject({
      releaseChannelVersion: 'registry.local/engine:v1.6.43',
      releaseChannel: 'stable',
    });
  });
});

describe('a new deployment', () => {
  it('has a repository, a secret, a build and a setup wizard', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, api.createDeployment, {
      body: { name: 'New', deployMode: 'git', region: 'us-east-1' },
    });
    const created = { params: { deploymentId: value.id ?? '' } };
    const list = (await send(platform, branches.listBranches, created)).value.data;
    expect(list).toMatchObject([{ name: 'main', isStagingEnvironmentEnabled: false }]);
    expect((await send(platform, getBuildStatus, created)).value.branchName).toBe('main');
    const steps: (string | undefined)[] = [value.creationStep];
    for (let at = 0; at < 4; at++)
      steps.push((await send(platform, api.advanceCreationStep, created)).value.creationStep);
    expect(steps).toEqual(['project', 'repository', 'data-source', 'model', 'complete']);
    expect((await send(platform, api.advanceCreationStep, created)).status).toBe(400);
    expect((await send(platform, api.resetCreationStep, created)).value.creationStep).toBe('project');
    expect((await send(platform, api.createDeployment, { body: { name: 'New' } })).status).toBe(409);
    const wrong = await send(platform, api.createDeployment, { body: { name: 'X', cloudProvider: 'moon' } });
    expect(refusalOf(wrong)).toBe('400 cloudProvider: must be one of cubecloud, aws, gcp');
    expect(await send(platform, api.createDeployment, { body: { name: 'X', region: 'moon' } })).toMatchObject({
      status: 400,
    });
  });

  it('goes with everything in it when it is deleted', async () => {
    const platform = await openPlatform();
    expect((await send(platform, api.deleteDeployment, { params })).status).toBe(204);
    expect((await send(platform, branches.listBranches, { params })).status).toBe(404);
    const { value } = await send(platform, api.listDeployments);
    expect(value.data.deployments.map(({ id }) => id)).toEqual(['2', '3']);
    const key = platform.control.demo.keys.scoped;
    // The key stays limited to the deployment that is left: it does not become one for all.
    expect((await send(platform, api.listDeployments, { key })).value.data.deployments.map(({ id }) => id)).toEqual([
      '2',
    ]);
  });
});

describe('deployments, regions', () => {
  it('come in pages with offset and limit', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, api.listDeployments, { query: { offset: 1, limit: 1 } });
    expect(value.data.deployments.map(({ name }) => name)).toEqual(['Retail forecasts']);
    expect(value.pagination).toMatchObject({ offset: 1, limit: 1, total: 3 });
    expect(refusalOf(await send(platform, api.listDeployments, { query: { limit: 'x' } }))).toBe(
      '400 limit: must be a whole number',
    );
    expect((await send(platform, api.listRegions)).value.map(({ id }) => id)).toContain('eu-central-1');
  });
});

describe('GitHub', () => {
  it('shows installations, repositories and branches', async () => {
    const platform = await openPlatform();
    expect((await send(platform, github.getGithubStatus)).value).toEqual({ connected: true, login: 'shop' });
    const [installation] = (await send(platform, github.listGithubInstallations)).value.data;
    const ofIt = { params: { installationId: installation?.id ?? '' } };
    const repositories = (await send(platform, github.listGithubRepositories, ofIt)).value.data;
    expect(repositories.map(({ fullName }) => fullName)).toEqual(['shop/marketing-model']);
    const list = await send(platform, github.listGithubBranches, { params: platform.control.demo.github });
    expect(list.value.data).toEqual([{ name: 'develop' }, { name: 'main' }]);
    expect((await send(platform, github.listGithubBranches, { params: { owner: 'shop', repo: '..' } })).status).toBe(
      404,
    );
    expect((await send(platform, github.listGithubBranches, { params: { owner: 'acme', repo: 'x' } })).status).toBe(
      404,
    );
    const key = platform.control.demo.keys.foreign;
    expect((await send(platform, github.getGithubStatus, { key })).value).toEqual({ connected: false });
  });

  it('connects by cloning, which starts the first build', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, api.createDeployment, { body: { name: 'New', creationMethod: 'github' } });
    const onNew = { deploymentId: value.id ?? '' };
    const body = { ...platform.control.demo.github, branch: 'develop' };
    const connected = await send(platform, github.connectGithub, { params: onNew, body });
    expect(connected.value).toMatchObject({
      branchName: 'develop',
      lastHash: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    });
    const files = filesOf((await send(platform, listDataModelFiles, { params: onNew })).value);
    expect(files.map(({ path }) => path)).toContain('/NOTES.md');
    expect((await send(platform, getBuildStatus, { params: onNew })).value).toMatchObject({
      branchName: 'develop',
      status: expect.stringMatching(/^buil/) as string,
    });
    const none = { ...body, branch: 'none' };
    expect((await send(platform, github.connectGithub, { params: onNew, body: none })).status).toBe(404);
  });

  it('gets commits pushed, and what was pushed there must be pulled first', async () => {
    const platform = await openPlatform();
    const at = { deploymentId: platform.control.demo.connected };
    const upstream = join(platform.dataDir, 'github', 'shop', 'marketing-model.git');
    const { value } = await send(platform, branches.startDevMode, { params: at, body: { branchName: 'main' } });
    const branchName = value.name;
    const write = (path: string) =>
      send(platform, writeDataModelFiles, { params: at, body: { branchName, files: [{ path, content: path }] } });
    const commit = () => send(platform, branches.commit, { params: at, body: { branchName, message: 'Mine' } });
    await write('model/one.txt');
    const first = await commit();
    const head = async (): Promise<string> =>
      (await git(['rev-parse', 'main'], { cwd: upstream })).stdout.toString().trim();
    expect(await head()).toBe(first.value.lastHash);
    await platform.control.colleagueCommit(at.deploymentId, 'main', { 'model/theirs.txt': 'x' });
    await write('model/two.txt');
    expect((await commit()).status).toBe(409);
    await send(platform, branches.pull, { params: at, body: { branchName } });
    const second = await commit();
    expect(await head()).toBe(second.value.lastHash);
  });

  it('pulls what was pushed there into the deploy branch', async () => {
    const platform = await openPlatform();
    const { connected } = platform.control.demo;
    const upstream = join(platform.dataDir, 'github', 'shop', 'marketing-model.git');
    await git(['update-ref', 'refs/heads/main', 'refs/heads/develop'], { cwd: upstream });
    const pull = () =>
      send(platform, branches.pull, { params: { deploymentId: connected }, body: { branchName: 'main' } });
    expect((await pull()).value.message).toBe('Took the changes of the connected repository.');
    expect(await platform.control.readFile(connected, 'main', 'NOTES.md')).toBe('Drafts\n');
    expect((await pull()).value.message).toBe('Already up to date.');
  });
});

describe('dbt sync', () => {
  const sync = (platform: Platform, deploymentId: number, branchName: string) =>
    send(platform, api.startDbtSync, { params: { deploymentId }, body: { branchName } });

  it('makes a real branch with a cube for each dbt model', async () => {
    const platform = await openPlatform();
    const { connected } = platform.control.demo;
    const { value } = await sync(platform, connected, 'from-dbt');
    expect(value).toMatchObject({
      branchName: 'from-dbt',
      syncJobId: expect.any(String) as string,
      workflowId: expect.any(String) as string,
    });
    const cube = await platform.control.readFile(connected, 'from-dbt', 'model/cubes/dbt/newsletter_clicks.yml');
    expect(cube).toContain(
      indented(
        6,
        yaml`
          - name: click_id
            sql: click_id
            type: number
            primary_key: true
        `,
      ),
    );
    const again = await sync(platform, connected, 'main');
    expect(again.value.branchName).toBe('dbt-sync-main-1');
    const { value: list } = await send(platform, branches.listBranches, { params: { deploymentId: connected } });
    expect(list.data.map(({ name, parentBranch }) => [name, parentBranch])).toContainEqual(['dbt-sync-main-1', 'main']);
  });

  it('says so when the repository has no dbt models', async () => {
    const platform = await openPlatform();
    const refused = await sync(platform, 1, 'from-dbt');
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toContain('There are no dbt models');
  });
});
