import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { contractModes, holdsIn } from '#support/contract-modes.ts';
import { a, type Ask, done, openContract, plain, rows, type Said } from '#support/contract.ts';

/** What docs/platform-api.md says beyond the documented shapes, sentence by sentence. */

const d1 = '/api/v1/deployments/1';
const b1 = '/build/api/v1/deployments/1';
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Starts dev mode on main and answers the name of the dev branch. */
async function devBranch(ask: Ask, from = 'main'): Promise<string> {
  const { json } = await ask(`POST ${b1}/dev-mode`, { body: { branchName: from } });
  return plain(json['name']);
}

const write = (ask: Ask, branchName: string, path: string, content: string): Promise<Said> =>
  ask(`PUT ${b1}/data-model/files`, { body: { branchName, files: [{ path, content }] } });

async function hashes(ask: Ask, branch?: string): Promise<Readonly<Record<string, { readonly hash: string }>>> {
  const query = branch === undefined ? '' : `?branchName=${branch}`;
  return (await ask(`GET ${b1}/data-model/file-hashes${query}`)).json['files'] as never;
}

describe.each(contractModes)('on a %s platform', (mode) => {
  beforeEach(({ task, skip }) => skip(!holdsIn(mode, task.name)));

  describe('Build API: dev mode', () => {
    it('starting it forks a personal branch whose name begins with dev- and returns it', async () => {
      const { ask } = await openContract(mode);
      const { json } = await ask(`POST ${b1}/dev-mode`, { body: { branchName: 'pricing-experiments' } });
      expect(json).toMatchObject({ name: a.matching(/^dev-/), parentBranch: 'pricing-experiments' });
    });

    it('belongs to a credential: without a branchName the active dev branch counts, else the deploy branch', async () => {
      const { ask } = await openContract(mode);
      const main = await hashes(ask, 'main');
      expect(await hashes(ask)).toEqual(main);
      const dev = await devBranch(ask);
      expect(done(await write(ask, dev, 'model/new.yml', 'cubes: []\n'))).toBe(true);
      expect((await hashes(ask))['model/new.yml']).toEqual({ hash: sha1('cubes: []\n') });
      expect(await hashes(ask)).toEqual(await hashes(ask, dev));
      expect(await hashes(ask, 'main')).toEqual(main);
    });

    it('when it is stopped the dev branch stays in the list and is not writable until it is started again', async () => {
      const { ask } = await openContract(mode);
      const dev = await devBranch(ask);
      expect(done(await ask(`DELETE ${b1}/dev-mode`))).toBe(true);
      const names = rows((await ask(`GET ${b1}/branches`)).json['data']).map(({ name }) => plain(name));
      expect(names).toContain(dev);
      expect(done(await write(ask, dev, 'model/a.yml', ''))).toBe(false);
      expect(await devBranch(ask, dev)).toBe(dev);
      expect(done(await write(ask, dev, 'model/a.yml', ''))).toBe(true);
    });
  });

  describe('Build API: files', () => {
    it.each(['main', 'pricing-experiments', 'dev-grace-1'])(
      'writes, deletes and renames on %s are refused with a message that says so',
      async (branchName) => {
        const { ask } = await openContract(mode);
        const before = await hashes(ask, branchName);
        const path = Object.keys(before)[0] ?? '';
        const files = `${b1}/data-model/files`;
        for (const said of [
          await write(ask, branchName, 'model/a.yml', ''),
          await ask(`DELETE ${files}`, { body: { branchName, files: [{ path }] } }),
          await ask(`POST ${files}/rename`, { body: { branchName, files: [{ path, newPath: 'model/z.yml' }] } }),
        ]) {
          expect([said.status, said.json['error']]).toEqual([403, a.containing('dev-mode branch')]);
        }
        expect(await hashes(ask, branchName)).toEqual(before);
      },
    );

    it('a hash is the SHA-1 of the raw bytes, and paths come and go with or without a leading slash', async () => {
      const { ask } = await openContract(mode);
      const dev = await devBranch(ask);
      const content = 'cubes: []\n# ä € 🙂\n';
      expect(done(await write(ask, dev, '/model/bytes.yml', content))).toBe(true);
      expect((await hashes(ask, dev))['model/bytes.yml']).toEqual({ hash: sha1(content) });
      const renamed = { branchName: dev, files: [{ path: 'model/bytes.yml', newPath: '/model/moved.yml' }] };
      expect(done(await ask(`POST ${b1}/data-model/files/rename`, { body: renamed }))).toBe(true);
      const tree = await ask(`GET ${b1}/data-model/files?branchName=${dev}&withContent=true`);
      expect(tree.text).toContain(JSON.stringify(content).slice(1, -1));
      expect(tree.json).toMatchObject({ path: a.text, type: 'directory' });
      const body = { branchName: dev, files: [{ path: 'model/moved.yml' }] };
      expect(done(await ask(`DELETE ${b1}/data-model/files`, { body }))).toBe(true);
      expect(await hashes(ask, dev)).toEqual(await hashes(ask, 'main'));
    });
  });

  describe('Build API: upload', () => {
    async function upload(ask: Ask, branchName: string, files: Readonly<Record<string, string>>): Promise<unknown> {
      const { json } = await ask(`POST ${b1}/data-model/upload/start`, { body: { branchName } });
      for (const [fileName, content] of Object.entries(files)) {
        const form = new FormData();
        form.set('transaction', JSON.stringify(json['transaction']));
        form.set('fileName', fileName);
        form.set('file', new Blob([content]), 'file');
        expect(done(await ask(`POST ${b1}/data-model/upload/file`, { form }))).toBe(true);
      }
      return json['transaction'];
    }

    it('nothing is there before finish; the manifest is full: with autoRemoveFiles the rest is deleted', async () => {
      const { ask } = await openContract(mode);
      const dev = await devBranch(ask);
      const before = await hashes(ask, dev);
      const transaction = await upload(ask, dev, { 'model/only.yml': 'cubes: []\n' });
      expect(await hashes(ask, dev)).toEqual(before);
      const files = { 'model/only.yml': { hash: sha1('cubes: []\n') } };
      const body = { transaction, files, autoRemoveFiles: true, branchName: dev };
      expect(done(await ask(`POST ${b1}/data-model/upload/finish`, { body }))).toBe(true);
      expect(await hashes(ask, dev)).toEqual(files);
    });

    it('without autoRemoveFiles the rest stays', async () => {
      const { ask } = await openContract(mode);
      const dev = await devBranch(ask);
      const before = await hashes(ask, dev);
      const transaction = await upload(ask, dev, { 'model/more.yml': 'cubes: []\n' });
      const files = { 'model/more.yml': { hash: sha1('cubes: []\n') } };
      const body = { transaction, files, autoRemoveFiles: false, branchName: dev };
      expect(done(await ask(`POST ${b1}/data-model/upload/finish`, { body }))).toBe(true);
      expect(await hashes(ask, dev)).toEqual({ ...before, ...files });
    });

    it('into the deploy branch of a deployment that is not in deploy mode cli it is refused', async () => {
      const { ask } = await openContract(mode);
      const started = await ask(`POST ${b1}/data-model/upload/start`, { body: { branchName: 'main' } });
      expect(done(started)).toBe(false);
      const cli = await ask('POST /build/api/v1/deployments/2/data-model/upload/start', { body: {} });
      expect(done(cli)).toBe(true);
    });
  });

  describe('Build API: Git', () => {
    it('commit commits the working copy and pushes it to the parent; saved is not committed', async () => {
      const { ask } = await openContract(mode);
      const dev = await devBranch(ask);
      await write(ask, dev, 'model/new.yml', 'cubes: []\n');
      expect((await hashes(ask, 'main'))['model/new.yml']).toBeUndefined();
      const body = { branchName: dev, message: 'New model' };
      expect(done(await ask(`POST ${b1}/commit`, { body }))).toBe(true);
      expect((await hashes(ask, 'main'))['model/new.yml']).toEqual({ hash: sha1('cubes: []\n') });
    });

    it('a commit when the parent moved is refused with 409 until pulled, and nothing is lost', async () => {
      const { ask, platform } = await openContract(mode);
      const dev = await devBranch(ask);
      await write(ask, dev, 'model/mine.yml', 'cubes: []\n');
      await platform.control.colleagueCommit(1, 'main', { 'model/theirs.yml': 'cubes: []\n' });
      const commit = () => ask(`POST ${b1}/commit`, { body: { branchName: dev, message: 'Mine' } });
      expect((await commit()).status).toBe(409);
      expect(await hashes(ask, dev)).toHaveProperty(['model/mine.yml']);
      expect(done(await ask(`POST ${b1}/pull`, { body: { branchName: dev } }))).toBe(true);
      expect(done(await commit())).toBe(true);
      expect(Object.keys(await hashes(ask, 'main'))).toEqual(
        expect.arrayContaining(['model/mine.yml', 'model/theirs.yml']),
      );
    });

    it('pull: a conflict is 409 with error and the paths in conflicts', async () => {
      const { ask, platform } = await openContract(mode);
      const dev = await devBranch(ask);
      await write(ask, dev, 'model/both.yml', 'mine\n');
      await platform.control.colleagueCommit(1, 'main', { 'model/both.yml': 'theirs\n' });
      const { status, json } = await ask(`POST ${b1}/pull`, { body: { branchName: dev } });
      expect([status, json]).toEqual([409, { error: a.text, conflicts: ['model/both.yml'] }]);
    });

    it.each([
      ['merge', { branchName: 'pricing-experiments' }],
      ['merge-to-default', { branchName: 'pricing-experiments' }],
    ])('%s: a conflict is 409 with error and the paths in conflicts', async (step, body) => {
      const { ask, platform } = await openContract(mode);
      await platform.control.colleagueCommit(1, 'pricing-experiments', { 'model/both.yml': 'theirs\n' });
      await platform.control.colleagueCommit(1, 'main', { 'model/both.yml': 'others\n' });
      const { status, json } = await ask(`POST ${b1}/${step}`, { body });
      expect([status, json]).toEqual([409, { error: a.text, conflicts: ['model/both.yml'] }]);
    });

    it('a merge with uncommitted work is refused and says so', async () => {
      const { ask } = await openContract(mode);
      const dev = await devBranch(ask);
      await write(ask, dev, 'model/new.yml', 'cubes: []\n');
      const { status, json } = await ask(`POST ${b1}/merge`, { body: { branchName: dev } });
      expect([status, json['error']]).toEqual([409, a.containing('uncommitted')]);
    });

    it('merge-to-default merges into the deploy branch and rebuilds production', async () => {
      const { ask, platform } = await openContract(mode);
      await platform.control.buildSettled(1, 'main');
      const shared = Object.keys(await hashes(ask, 'pricing-experiments'));
      const body = { branchName: 'pricing-experiments', removeBranchAfterMerge: false };
      expect(done(await ask(`POST ${b1}/merge-to-default`, { body }))).toBe(true);
      expect(Object.keys(await hashes(ask, 'main'))).toEqual(expect.arrayContaining(shared));
      expect(await platform.control.buildSettled(1, 'main')).toMatchObject({ status: 'built', branchName: 'main' });
    });

    it('a created branch is answered as a branch', async () => {
      const { ask } = await openContract(mode);
      const { json } = await ask(`POST ${b1}/branches`, { body: { name: 'spring', parentBranch: 'main' } });
      expect(json).toMatchObject({ name: 'spring', parentBranch: 'main', isStagingEnvironmentEnabled: false });
    });
  });

  describe('Management', () => {
    it('build-status has status, branchName and errorText; an unknown branch answers building and Bad branch', async () => {
      const { ask, platform } = await openContract(mode);
      await platform.control.buildSettled(1, 'main');
      const main = await ask(`GET ${d1}/build-status?branchName=main`);
      expect(main.json).toMatchObject({ status: 'built', branchName: 'main' });
      const { json } = await ask(`GET ${d1}/build-status?branchName=nowhere`);
      expect(json).toMatchObject({ status: 'building', errorText: a.matching(/Bad branch|not active/) });
    });

    it('logs need source and container; a row has date, pod, container and message', async () => {
      const { ask, platform } = await openContract(mode);
      await platform.control.colleagueCommit(1, 'main', { 'model/x.yml': 'cubes: []' });
      await platform.control.buildSettled(1, 'main');
      expect((await ask(`GET ${d1}/logs`)).status).toBe(400);
      expect((await ask(`GET ${d1}/logs?source=production`)).status).toBe(400);
      expect((await ask(`GET ${d1}/logs?container=MAIN`)).status).toBe(400);
      const said = await ask(`GET ${d1}/logs?source=production&container=MAIN&limit=1`);
      expect(Object.keys(rows(said.json)[0] ?? {})).toEqual(['date', 'pod', 'container', 'message']);
    });

    it('environment variables come with secrets masked, and a masked value stands for unchanged', async () => {
      const { ask, platform } = await openContract(mode);
      const put = (list: unknown) => ask(`PUT ${d1}/env-vars`, { body: { env_variables: list } });
      expect(
        done(
          await put([
            { name: 'PASS', value: 'hidden', isSecret: true },
            { name: 'A', value: '1' },
          ]),
        ),
      ).toBe(true);
      const read = await ask(`GET ${d1}/env-vars`);
      expect(read.text).not.toContain('hidden');
      expect(done(await put(read.json['env_variables']))).toBe(true);
      const kept = platform.control.rows()['env_vars']?.filter(({ deployment_id: id }) => id === 1);
      expect(kept?.map(({ name, value }) => [name, value])).toEqual(expect.arrayContaining([['PASS', 'hidden']]));
      expect(done(await put([{ name: 'A', value: '2' }]))).toBe(true);
      expect(rows((await ask(`GET ${d1}/env-vars`)).json['env_variables']).map(({ name }) => name)).toEqual(['A']);
    });

    it('regions have id, name and cloudProvider; pods have a name and a status', async () => {
      const { ask } = await openContract(mode);
      for (const region of rows((await ask('GET /api/v1/regions/')).json)) {
        expect(Object.keys(region).sort()).toEqual(['cloudProvider', 'id', 'name']);
      }
      for (const pod of rows((await ask(`GET ${d1}/pods`)).json)) {
        expect(pod).toMatchObject({ name: a.text, status: a.text });
      }
    });
  });

  it('Sign-in: optional operations are there when the description lists them, and only then', async () => {
    const { ask } = await openContract(mode);
    const paths = Object.keys((await ask('GET /api/v1/spec')).json['paths'] ?? {}).join(' ');
    const isListed = /\/workbooks /.test(`${paths} `);
    expect(isListed).toBe(mode === 'generous');
    expect((await ask(`GET ${d1}/workbooks`)).status).toBe(isListed ? 200 : 404);
    expect((await ask(`GET ${d1}/workbooks/1/dashboard`)).status).toBe(isListed ? 200 : 404);
    expect(paths.includes('/auth/device/code')).toBe(isListed);
  });
});
