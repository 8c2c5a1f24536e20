import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listBranches } from '#api/branches.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { neverDeployed } from '#features/folders/deployed-files.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { createPlatformDeployer } from '#sync/core/platform-remote.ts';
import { deployBranch } from '#sync/core/target.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { openPlatform } from '#support/platform.ts';
import { newFolder } from '#support/sync/test-disk.ts';
import { patientClient } from '../../../support/api/patient-client.ts';

const CLI_DEPLOYMENT = 2;
const WORKER = new URL('../../../../src/sync/disk/hash-worker.ts', import.meta.url);

/** What a project has besides its model. */
const PROJECT = {
  'cube.py': 'from cube import config\n',
  'cube.js': 'module.exports = {};\n',
  'package.json': '{"dependencies": {}}\n',
  'requirements.txt': 'requests\n',
  'model/globals.py': 'from cube import TemplateContext\n',
  'model/macros/money.jinja': '{% macro money(a) %}{{ a }}{% endmacro %}\n',
  'agents/rules/tone.md': 'Answer briefly.\n',
  'agents/certified_queries/total.yml': 'queries: []\n',
  'scripts/own.tsx': 'export {};\n',
  'picture.bin': '\0\u0001\u0002',
  'large.bin': `\0${'\u0007binary'.repeat(300_000)}`,
  'empty.md': '',
  'model/cubes/große Bestellungen (2024) #1.yml': 'cubes: []\n',
  'model/cubes/注文.yml': 'cubes: []\n',
  'model/cubes/ORDERS.YML': 'cubes: []\n',
  'model/cubes/100%.yml': 'cubes: []\n',
  'docs/node_modules.md': 'a file, not the folder',
  'docs/a.b.c/d.tar.gz': '\u001f\u008b',
  // What Git ignores is deployed: the command line does not read these rules.
  'model/ignored.yml': 'cubes: []\n',
  'build/out.txt': 'out',
  // Left out on both sides.
  'node_modules/a/index.js': 'a',
  'model/node_modules/b.js': 'b',
  'model/deep/er/node_modules/c/index.js': 'c',
  'model/.cache/old.yml': 'cubes: []',
  '.cubeignore': 'picture.bin',
  'dashboard-app/src/App.js': 'app',
  'agents/dashboard-app/x.js': 'x',
  '.env': 'SECRET=1',
  '.git/config': '[core]',
  '.cubecloud': '{}',
  'model/.hidden.yml': 'cubes: []',
};

/** The rules that the platform’s command line publishes (`DeployDirectory` of the open-source `cubejs-cli`): path → SHA-1. */
function filesOfCommandLine(root: string, folder = ''): Record<string, string> {
  const found = readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    const isLeftOut = ['dashboard-app', 'node_modules'].includes(name) || name.startsWith('.');
    if (isLeftOut && name !== '.gitignore') return [];
    const at = folder === '' ? name : `${folder}/${name}`;
    if (entry.isDirectory()) return Object.entries(filesOfCommandLine(root, at));
    const hash = createHash('sha1')
      .update(readFileSync(path.join(root, at)))
      .digest('hex');
    return [[at, hash] as const];
  });
  return Object.fromEntries(found);
}

it('deploys the files of a whole project that the platform’s command line deploys, byte for byte', async () => {
  const platform = await openPlatform();
  const home = newFolder('deploy-whole-');
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const client = patientClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token: platform.apiKey, origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    fetch: (input, init) => platform.fetch(new Request(input, init)),
  });
  const { data } = await client.call(listBranches, { params: { deploymentId: String(CLI_DEPLOYMENT) } });
  const branch = deployBranch(data.find((each) => !each.parentBranch) ?? { name: 'none' }, 'cli');
  if (!branch.ok) throw new Error(branch.error);
  const folder = path.join(home, 'project');
  const remote = createPlatformDeployer({
    client,
    deployment: CLI_DEPLOYMENT,
    branch: branch.value,
    folder: '',
    isOpen: () => true,
  });
  const local = await createNodePorts({
    folder,
    remoteFolder: '',
    storage: path.join(home, 'storage'),
    branch: branch.value,
    worker: WORKER,
    logger: silentLogger,
  });
  onTestFinished(() => local.dispose());
  const sync = createFolderSync({
    ports: { ...local, remote, clock: systemClock, editors: { dirty: () => new Set() } },
    target: { account: 'demo', deployment: String(CLI_DEPLOYMENT), branch: branch.value },
    settings: { ignore: neverDeployed },
    logger: silentLogger,
  });
  await sync.pull(await sync.plan(), 'all');
  for (const [file, text] of Object.entries(PROJECT)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  // The only differences: hidden files never leave this machine, nor what editors leave behind.
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\n/build/\nignored.yml\n');
  writeFileSync(path.join(folder, 'cube.py~'), 'old');

  expect(await sync.push(await sync.plan(), 'all', { message: 'Whole project' })).toMatchObject({
    status: 'done',
    failed: [],
  });

  const { '.gitignore': hidden, 'cube.py~': leftover, ...expected } = filesOfCommandLine(folder);
  expect([hidden, leftover]).not.toContain(undefined);
  expect(Object.keys(expected)).toEqual(
    expect.arrayContaining(['cube.py', 'model/globals.py', 'agents/rules/tone.md']),
  );
  expect(await platform.control.hashes(CLI_DEPLOYMENT, branch.value)).toEqual(expected);
  await sync.close();
});
