import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sharedScanThread } from '#support/sync/shared-scan-thread.ts';
import { originOf } from '#base/origin.ts';
import { listBranches } from '#api/resources/branches.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { openPlatform } from '#support/platform.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { createPlatformDeployer } from '#sync/core/remote/platform-remote.ts';
import { deployBranch } from '#sync/core/target.ts';
import { newFolder } from '#support/sync/test-disk.ts';
import { patientClient } from '../../../../support/api/patient-client.ts';

const CLI_DEPLOYMENT = 2;

describe('the deploy of a cli deployment', () => {
  it.each([
    [{ name: 'main', parentBranch: null }, 'git'],
    [{ name: 'pricing', parentBranch: 'main' }, undefined],
    [{ name: 'pricing', parentBranch: 'main' }, 'cli'],
  ])('refuses %j in mode %s', (branch, mode) => {
    expect(deployBranch(branch, mode)).toMatchObject({ ok: false });
  });

  it('leaves an unknown deploy mode to the platform', () => {
    expect(deployBranch({ name: 'main' }, undefined)).toEqual({ ok: true, value: 'main' });
  });

  it('takes one upload transaction, with the deletions that were ticked and no others', async () => {
    const platform = await openPlatform();
    const home = newFolder('sync-deploy-');
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
    const client = patientClient({
      baseUrl: 'http://127.0.0.1',
      credential: () => ({ kind: 'bearer', token: platform.apiKey, origin: originOf('http://127.0.0.1') }),
      logger: silentLogger,
      fetch: (input, init) => platform.fetch(new Request(input, init)),
    });
    const { data } = await client.call(listBranches, { params: { deploymentId: String(CLI_DEPLOYMENT) } });
    const branch = deployBranch(data.find((each) => !each.parentBranch) ?? { name: 'none' }, 'cli');
    if (!branch.ok) throw new Error(branch.error);
    let isOpen = false;
    const remote = createPlatformDeployer({
      client,
      deployment: CLI_DEPLOYMENT,
      branch: branch.value,
      isOpen: () => isOpen,
    });
    const folder = path.join(home, 'model');
    const local = await createNodePorts({
      folder,
      storage: path.join(home, 's'),
      branch: 'main',
      worker: sharedScanThread,
      logger: silentLogger,
    });
    const sync = createFolderSync({
      ports: { ...local, remote, clock: systemClock, editors: { dirty: () => new Set() } },
      target: { account: 'demo', deployment: '2', branch: branch.value },
      logger: silentLogger,
    });
    await sync.pull(await sync.plan(), 'all');
    const before = Object.keys(await platform.control.hashes(CLI_DEPLOYMENT, branch.value));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const [dropped, kept] = files.map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)));
    rmSync(path.join(home, dropped ?? ''));
    if (kept !== undefined) rmSync(path.join(home, kept));
    writeFileSync(path.join(folder, 'new.yml'), 'cubes: []\n');
    platform.control.clearRequestLog();
    const refused = await sync.push(await sync.plan(), new Set(['model/new.yml']), { confirmed: ['localEmptied'] });
    expect(refused.applied).toEqual([]);
    expect(platform.control.requestLog.filter(({ method }) => method !== 'GET')).toEqual([]);
    isOpen = true;
    const outcome = await sync.push(await sync.plan(), new Set([dropped ?? '', 'model/new.yml']), {
      confirmed: ['manyDeletesRemote', 'localEmptied'],
      message: 'Deploy of a test',
    });
    expect(outcome).toMatchObject({ status: 'done', failed: [], changed: [] });
    const after = Object.keys(await platform.control.hashes(CLI_DEPLOYMENT, branch.value));
    expect(new Set(after)).toEqual(new Set([...before.filter((file) => file !== dropped), 'model/new.yml']));
    expect(await platform.control.git(CLI_DEPLOYMENT, 'log', '-1', '--format=%s', branch.value)).toBe(
      'Deploy of a test\n',
    );
    const written = platform.control.requestLog.filter(({ method }) => method !== 'GET');
    expect(written.map((request) => request.path.replace(/^.*data-model\//, ''))).toEqual([
      'upload/start',
      'upload/file',
      'upload/finish',
    ]);
    await sync.close();
    local.dispose();
  });
});
