import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { sharedScanThread } from '#support/sync/shared-scan-thread.ts';
import { listBranches } from '#api/resources/branches.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { deployPlan } from '#features/history/deploy.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { type FollowedLink, foreignLinkAbove } from '#sync/core/selection/followed-link.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { createPlatformDeployer } from '#sync/core/remote/platform-remote.ts';
import { deployBranch } from '#sync/core/target.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { scanFolder } from '#sync/disk/scan.ts';
import { StatTable } from '#sync/disk/stat-table.ts';
import { commandLineFiles } from '#support/deploy/command-line-files.ts';
import { makeProject, oddProject } from '#support/deploy/odd-projects.ts';
import { openPlatform } from '#support/platform.ts';
import { newFolder } from '#support/sync/test-disk.ts';
import { patientClient } from '../../../support/api/patient-client.ts';

const CLI_DEPLOYMENT = 2;

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
  'large.bin': `\0${'\u0007binary'.repeat(1_600_000)}`,
  'empty.md': '',
  'model/windows.yml': 'cubes: []\r\n',
  'model/cubes/große Bestellungen (2024) #1.yml': 'cubes: []\n',
  'model/cubes/注文.yml': 'cubes: []\n',
  'model/cubes/cafe\u0301.yml': 'cubes: []\n',
  'model/cubes/100%.yml': 'cubes: []\n',
  'model/cubes/a:b?.yml': 'cubes: []\n',
  'model/cubes/trailing dot.': 'cubes: []\n',
  'docs/node_modules.md': 'a file, not the folder',
  'docs/a.b.c/d.tar.gz': '\u001f\u008b',
  // The command line does not read these rules, uploads them, and knows nothing of editors.
  '.gitignore': 'node_modules\n/build/\nignored.yml\n',
  'model/.gitignore': '*.local\n',
  'model/ignored.yml': 'cubes: []\n',
  'build/out.txt': 'out',
  'cube.py~': 'old',
  'shop.code-workspace': '{}',
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

/** A project beside nothing else, and its deploys to a deployment that is built from uploads. */
interface Desk {
  readonly folder: string;
  readonly beside: string;
  readonly sync: FolderSync;
  readonly plan: () => Promise<ReturnType<typeof deployPlan>>;
  /** Deploys what is ticked at first, and what is named. */
  readonly deploy: (...also: readonly string[]) => Promise<unknown>;
  readonly deployed: () => Promise<Readonly<Record<string, string>>>;
}

async function openDesk(): Promise<Desk> {
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
  const [folder, beside] = [path.join(home, 'project'), path.join(home, 'beside')];
  mkdirSync(beside);
  const isOpen = (): boolean => true;
  const to = { client, deployment: CLI_DEPLOYMENT, branch: branch.value, folder: '', isOpen };
  const storage = path.join(home, 'storage');
  const ports = {
    folder,
    remoteFolder: '',
    storage,
    branch: branch.value,
    worker: sharedScanThread,
    logger: silentLogger,
  };
  const local = await createNodePorts(ports);
  onTestFinished(() => local.dispose());
  const sync = createFolderSync({
    ports: {
      ...local,
      remote: createPlatformDeployer(to),
      clock: systemClock,
      editors: { dirty: () => new Set() },
    },
    target: { account: 'demo', deployment: String(CLI_DEPLOYMENT), branch: branch.value },
    logger: silentLogger,
  });
  onTestFinished(() => sync.close());
  const plan = async (): Promise<ReturnType<typeof deployPlan>> => deployPlan(await sync.plan());
  return {
    ...{ folder, beside, sync, plan },
    deploy: async (...also) => {
      const { plan: shown, ticked } = await plan();
      const confirmed = shown.guards.map(({ kind }) => kind);
      return sync.push(shown, new Set([...ticked, ...also]), { confirmed, message: 'Whole project' });
    },
    deployed: () => platform.control.hashes(CLI_DEPLOYMENT, branch.value),
  };
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

describe('a deploy of a whole project', () => {
  it('uploads what the platform’s command line uploads, byte for byte', async () => {
    const { folder, sync, deploy, deployed } = await openDesk();
    await sync.pull(await sync.plan(), 'all');
    write(folder, PROJECT);
    expect(await deploy()).toMatchObject({ status: 'done', failed: [], changed: [] });
    const expected = commandLineFiles(folder);
    expect(Object.keys(expected)).toEqual(
      expect.arrayContaining(['.gitignore', 'cube.py', 'cube.py~', 'model/globals.py', 'agents/rules/tone.md']),
    );
    expect(await deployed()).toEqual(expected);
    // Nothing is left to deploy, whichever names the files have.
    expect(await deploy()).toMatchObject({ status: 'done', applied: [] });
  });

  it(
    'holds two files whose names differ in letter case only, where the disk does',
    { tags: ['machine'] },
    async (context) => {
      const { folder, deploy, deployed } = await openDesk();
      write(folder, { 'model/orders.yml': 'cubes: []\n', 'model/Orders.yml': 'views: []\n' });
      const expected = commandLineFiles(folder);
      if (Object.keys(expected).length < 2) context.skip('This disk ignores letter case.');
      expect(await deploy()).toMatchObject({ status: 'done', failed: [], changed: [] });
      expect(await deployed()).toMatchObject(expected);
    },
  );

  it('follows links to files and folders of the project', async () => {
    const { folder, deploy, deployed } = await openDesk();
    write(folder, { 'common/money.jinja': 'macro', 'common/more/x.yml': 'cubes: []\n', 'model/a.yml': 'cubes: []\n' });
    symlinkSync('../common/money.jinja', path.join(folder, 'model/money.jinja'));
    symlinkSync(path.join(folder, 'common'), path.join(folder, 'model/common'));
    expect(await deploy()).toMatchObject({ status: 'done', failed: [], changed: [] });
    const expected = commandLineFiles(folder);
    expect(Object.keys(expected)).toContain('model/common/more/x.yml');
    expect(await deployed()).toMatchObject(expected);
    // A file that is gone behind a link can be deleted on the platform.
    rmSync(path.join(folder, 'common/more'), { recursive: true });
    expect(await deploy('model/common/more/x.yml', 'common/more/x.yml')).toMatchObject({ status: 'done', changed: [] });
    expect(Object.keys(await deployed()).filter((file) => file.endsWith('more/x.yml'))).toEqual([]);
  });

  it('uploads what links bring into the project only if the user ticks it, and says where it is from', async () => {
    const { folder, beside, plan, deploy, deployed } = await openDesk();
    write(beside, { 'secret.txt': 'secret', 'team/macros.jinja': 'macro', 'team/deep/b.yml': 'cubes: []\n' });
    write(folder, { '.env': 'SECRET=1', 'model/a.yml': 'cubes: []\n' });
    symlinkSync('../../beside/secret.txt', path.join(folder, 'model/innocent.yml'));
    symlinkSync('../.env', path.join(folder, 'model/settings.yml'));
    symlinkSync(path.join(beside, 'team'), path.join(folder, 'model/team'));
    const brought = ['innocent.yml', 'settings.yml', 'team/deep/b.yml', 'team/macros.jinja'].map((at) => `model/${at}`);
    const { ticked, notes } = await plan();
    expect(brought.filter((at) => ticked.has(at))).toEqual([]);
    expect(notes.get('model/innocent.yml')).toBe(
      `a link to ${path.join(beside, 'secret.txt')}, outside of the project`,
    );
    expect(notes.get('model/settings.yml')).toMatch(/\.env, which is never deployed under its own name$/);
    expect(notes.get('model/team/deep/b.yml')).toContain(path.join(beside, 'team'));
    await deploy();
    expect(Object.keys(await deployed())).toContain('model/a.yml');
    expect(Object.keys(await deployed()).filter((at) => brought.includes(at))).toEqual([]);
    expect(await deploy(...brought)).toMatchObject({ status: 'done', failed: [], changed: [] });
    expect(await deployed()).toMatchObject(commandLineFiles(folder));
    // A new version is the user's decision again.
    write(beside, { 'secret.txt': 'another secret' });
    expect((await plan()).ticked.has('model/innocent.yml')).toBe(false);
  });

  it('does not upload a file whose link was changed after it was shown', async () => {
    const { folder, beside, sync, plan, deployed } = await openDesk();
    write(beside, { 'secret.txt': 'same' });
    write(folder, { 'common.yml': 'same', 'model/a.yml': 'cubes: []\n' });
    symlinkSync('../common.yml', path.join(folder, 'model/b.yml'));
    const { plan: shown, ticked } = await plan();
    expect(ticked.has('model/b.yml')).toBe(true);
    rmSync(path.join(folder, 'model/b.yml'));
    symlinkSync('../../beside/secret.txt', path.join(folder, 'model/b.yml'));
    expect(await sync.push(shown, ticked)).toMatchObject({ changed: ['model/b.yml'] });
    expect(Object.keys(await deployed())).not.toContain('model/b.yml');
  });

  it('leaves out the links on which the command line fails, with the reason, and deploys the rest', async () => {
    const { folder, plan, deploy, deployed } = await openDesk();
    write(folder, { 'model/a.yml': 'cubes: []\n' });
    const links = { 'model/nothing.yml': 'nowhere', 'model/self.yml': 'self.yml', 'model/loop': '..' };
    for (const [at, to] of Object.entries(links)) symlinkSync(to, path.join(folder, at));
    expect(() => commandLineFiles(folder)).toThrow(/ENOENT|ELOOP/);
    const reasons = (await plan()).plan.entries.flatMap((entry) => (entry.kind === 'frozen' ? [entry] : []));
    expect(Object.fromEntries(reasons.map(({ path: at, reason }) => [at, reason]))).toEqual({
      'model/nothing.yml': 'brokenLink',
      'model/self.yml': 'brokenLink',
      'model/loop': 'linkLoop',
    });
    expect(await deploy()).toMatchObject({ status: 'done', failed: [], changed: [] });
    expect(Object.keys(await deployed())).toContain('model/a.yml');
  });
});

describe('the files of a deploy', () => {
  const home = newFolder('deploy-trees-');
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  let runs = 0;

  it('are those of the platform’s command line in any project that it can deploy', () => {
    let [compared, links] = [0, 0];
    fc.assert(
      fc.property(oddProject, (entries) => {
        const project = path.join(home, String(++runs), 'project');
        makeProject(project, entries);
        const expected = filesOrNothing(project);
        const scanned = scanProject(project);
        // Where the command line fails, a link is left out, and the reason is shown.
        const files = expected === undefined ? undefined : Object.fromEntries(scanned.files);
        expect({ files, isWhole: scanned.isWhole, unasked: unasked(project, scanned) }).toEqual({
          files: expected,
          isWhole: expected !== undefined,
          unasked: [],
        });
        compared += expected === undefined ? 0 : 1;
        links += expected === undefined ? 0 : scanned.links.size;
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(100);
    expect(links).toBeGreaterThan(50);
  });
});

it('takes files beside a model that is linked alone for the project’s own, where a link leads to them', () => {
  const project = newFolder('deploy-model-');
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  write(project, { 'common/money.jinja': 'macro', 'model/a.yml': 'cubes: []\n' });
  symlinkSync('../common', path.join(project, 'model/common'));
  symlinkSync('/', path.join(project, 'model/root'));
  const { files, links } = scanProject(path.join(project, 'model'), { prefix: 'model', project });
  expect([...files.keys()].toSorted()).toEqual(['model/a.yml', 'model/common/money.jinja']);
  expect([...links].map(([at, { leadsTo }]) => [at, leadsTo])).toEqual([['model/common', 'project']]);
});

interface Scanned {
  readonly files: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, FollowedLink>;
  /** Whether nothing was left out with a reason. */
  readonly isWhole: boolean;
}

function scanProject(root: string, below: { readonly prefix?: string; readonly project?: string } = {}): Scanned {
  const files = new Map<string, string>();
  const rules = { rules: 'deploy', ignoreLines: [], verify: false, maxFileSize: 1e9 } as const;
  const job = { root, prefix: '', ...rules, ...below };
  const { links, frozen, complete } = scanFolder(job, {
    table: new StatTable(),
    round: 1,
    found: (file) => files.set(file.path, file.hash),
  });
  return { files, links: new Map(links), isWhole: frozen.length === 0 && complete };
}

/** Returns the files that are outside of a project and that a deploy would upload without asking. */
function unasked(project: string, { files, links }: Scanned): readonly string[] {
  const root = realpathSync(project);
  const isOutside = (file: string): boolean => !realpathSync(path.join(project, file)).startsWith(`${root}${path.sep}`);
  return [...files.keys()].filter((file) => isOutside(file) && foreignLinkAbove(file, links) === undefined);
}

function filesOrNothing(project: string): Readonly<Record<string, string>> | undefined {
  try {
    return commandLineFiles(project);
  } catch {
    return undefined;
  }
}
