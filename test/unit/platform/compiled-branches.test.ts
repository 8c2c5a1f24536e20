import * as branches from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { createMetadataToken, listEnvironments } from '#api/resources/environments.ts';
import { realEngine } from '#support/real-engine.ts';
import type { Platform } from '#platform/app.ts';
import { openPlatform, send } from '#support/platform.ts';
import { yaml } from '#support/language/raw.ts';
import { describe, expect, it } from 'vitest';

const engine = realEngine();

const params = { deploymentId: 1 };
const dev = 'dev-ada-1';

interface Meta {
  readonly cubes: readonly { readonly name: string }[];
}

async function openInDevMode(): Promise<Platform> {
  const platform = await openPlatform({ engine });
  await send(platform, branches.startDevMode, { params, body: { branchName: 'main' } });
  return platform;
}

const write = (platform: Platform, content: string) =>
  send(platform, writeDataModelFiles, {
    params,
    body: { branchName: dev, files: [{ path: 'model/cubes/extra.yml', content }] },
  });

/** Asks the data API of a branch's environment with a metadata token. */
async function data(platform: Platform, branch: string, path: string): Promise<Response> {
  const { value } = await send(platform, listEnvironments, { params });
  const environment = value.data.environments.find(({ branchName }) => branchName === branch);
  const onIt = { ...params, environmentId: environment?.id ?? '' };
  const token = await send(platform, createMetadataToken, { params: onIt, body: { security_context: {} } });
  const url = `${environment?.api_credentials?.rest?.url}${path}`;
  return platform.fetch(new Request(url, { headers: { Authorization: token.value.data.token } }));
}

describe('a branch of the local platform, with the real engine', () => {
  it('compiles as the sample has it, and fails the build with the engine’s words when a file is broken', async () => {
    const platform = await openInDevMode();
    for (const branch of ['main', 'returns-model']) {
      expect(await platform.control.buildSettled(1, branch)).toEqual({ status: 'built', branchName: branch });
    }
    await write(
      platform,
      yaml`
        cubes:
          - name: extra
            measures:
              - name: count
                type: nonsense
      `,
    );
    const { status, errorText } = await platform.control.buildSettled(1, dev);
    expect(status).toBe('failed');
    expect(errorText).toContain('extra cube');
  });

  it('compiles when it is staged', async () => {
    const platform = await openPlatform({ engine });
    const { sharedBranch } = platform.control.demo;
    await send(platform, branches.setBranchStagingEnvironment, {
      params,
      body: { enabled: true, branchName: sharedBranch },
    });
    expect(await platform.control.buildSettled(1, sharedBranch)).toEqual({ status: 'built', branchName: sharedBranch });
  });

  it('serves its own metadata in its environment to a metadata token, and no data', async () => {
    const platform = await openInDevMode();
    await write(
      platform,
      yaml`
        cubes:
          - name: extra
            sql: SELECT 1 AS id
            measures:
              - name: count
                type: count
      `,
    );
    const names = async (branch: string): Promise<string[]> =>
      ((await (await data(platform, branch, '/meta')).json()) as Meta).cubes.map(({ name }) => name);
    expect(await names(dev)).toContain('extra');
    expect(await names('main')).not.toContain('extra');
    expect(await names('main')).toContain('sales');
    const query = encodeURIComponent(JSON.stringify({ measures: ['extra.count'] }));
    expect((await data(platform, dev, `/load?query=${query}`)).status).toBe(403);
  });
});
