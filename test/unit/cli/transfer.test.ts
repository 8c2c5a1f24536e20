import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { send } from '#support/platform.ts';
import { demo } from '#platform/seed/names.ts';
import { strict } from '#platform/modes/strict.ts';
import { linkProject } from '#support/linked-project.ts';
import { yaml } from '#support/language/raw.ts';

const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;

describe('the command line in a linked folder', () => {
  it('pulls the dev branch that the key is in dev mode on, but only with --yes', async () => {
    const { run, json, read, branch, remote } = await linkProject();
    const planned = await json('pull');
    expect(planned).toMatchObject({ branch, status: 'planned', applied: [] });
    const { path } = (planned['changes'] as readonly { readonly path: string }[])[0] ?? { path: '' };
    expect(read(path)).toBeUndefined();
    expect((await run('pull', '--yes')).code).toBe(0);
    expect(read(path)).toBe(await remote(path));
    expect((await run('plan')).out).toMatch(/^Nothing to push or pull: /);
  });

  it('has one record of a folder that is opened through a link as well', async () => {
    const { run, json, write, folder } = await linkProject();
    const link = join(folder, '..', 'größe #1');
    symlinkSync(folder, link);
    await run('pull', '--yes');
    write('model/cubes/orders.yml', cube('orders'));
    // Without the record of the pull, the file would be a conflict.
    const { changes } = await json('plan', '--folder', link);
    expect(changes).toMatchObject([{ way: 'push', change: 'change' }]);
  });

  it('asks for the name of the dev branch where the platform does not report which one the key is on', async () => {
    const { run, branch } = await linkProject({ modes: [strict] });
    const { code, err } = await run('plan');
    expect(code).toBe(2);
    expect(err).toContain('Name the dev branch with “branch”');
    expect((await run('plan', branch)).out).toContain(`“${branch}”`);
  });

  it('pushes exactly the plan that was shown, and nothing else', async () => {
    const { run, json, write, remote } = await linkProject();
    await run('pull', '--yes');
    write('model/cubes/returns.yml', cube('returns'));
    const planned = await json('push');
    expect(planned).toMatchObject({
      status: 'planned',
      changes: [{ path: 'model/cubes/returns.yml', way: 'push', change: 'add' }],
    });
    const plan = String(planned['plan']);
    expect(await remote('model/cubes/returns.yml')).toBeUndefined();
    expect(await json('plan')).toMatchObject({ plan });

    write('model/cubes/returns.yml', cube('refunds'));
    const late = await run('push', '--plan', plan, '--yes');
    expect(late).toMatchObject({ code: 2, out: '' });
    expect(late.err).toContain('something has changed since');
    expect(await remote('model/cubes/returns.yml')).toBeUndefined();

    const again = String((await json('plan'))['plan']);
    expect(await json('push', '--plan', again, '--yes')).toMatchObject({
      status: 'done',
      applied: ['model/cubes/returns.yml'],
    });
    expect(await remote('model/cubes/returns.yml')).toBe(cube('refunds'));
  });

  it('holds a push that empties the branch until its plan was reviewed', async () => {
    const { run, json, folder, remote } = await linkProject();
    await run('pull', '--yes');
    const [first = ''] = readdirSync(join(folder, 'model/cubes'));
    rmSync(join(folder, 'model'), { recursive: true });
    mkdirSync(join(folder, 'model'));
    expect(await json('push', '--yes')).toMatchObject({ status: 'refused', applied: [] });
    expect(await remote(`model/cubes/${first}`)).toBeDefined();
    const { plan, warnings } = await json('push');
    expect(warnings).not.toEqual([]);
    expect((await run('push', '--yes', '--plan', String(plan))).code).toBe(0);
    expect(await remote(`model/cubes/${first}`)).toBeUndefined();
  });

  it.each([
    ['the whole project', '.', 'model'],
    ['a folder of it', 'model', '.'],
  ])('continues where %s was linked before, and deletes nothing', async (_, before, after) => {
    const { run, json, write, read, branch, platform } = await linkProject();
    const link = JSON.parse(read('modelbench.json') ?? '') as object;
    const linkTo = (modelPath: string): void => write('modelbench.json', JSON.stringify({ ...link, modelPath }));
    linkTo(before);
    expect((await run('pull', '--yes')).err).toBe('');
    const there = await platform.control.hashes(demo.shop, branch);
    linkTo(after);
    expect(await run('pull', '--yes')).toMatchObject({ code: 0, err: '' });
    expect(await json('push')).toMatchObject({ changes: [], warnings: [] });
    write(`${after === '.' ? 'model' : after}/returned.yml`, cube('returned'));
    expect(await json('push', '--yes')).toMatchObject({ status: 'done', failed: [] });
    expect(await platform.control.hashes(demo.shop, branch)).toMatchObject(there);
  });

  it('leaves the link of a whole project on its side, also where the branch has one', async () => {
    const project = await linkProject();
    const { run, json, write, read, remote } = project;
    const link = JSON.stringify({ ...(JSON.parse(read('modelbench.json') ?? '') as object), modelPath: '.' });
    write('modelbench.json', link);
    expect(await run('pull', '--yes')).toMatchObject({ code: 0, err: '' });
    write('model/cubes/mine.yml', cube('mine'));
    expect(await json('push', '--yes')).toMatchObject({ status: 'done', failed: [] });
    expect(await remote('model/cubes/mine.yml')).toBe(cube('mine'));
    expect(await remote('modelbench.json')).toBeUndefined();
    // A repository may have it: its clones are linked with it.
    const theirs = JSON.stringify({ tenant: 'https://elsewhere.example', deployment: '9' });
    const files = Object.entries({ 'modelbench.json': theirs, 'apps/modelbench.txt': 'other' });
    const body = { branchName: project.branch, files: files.map(([path, content]) => ({ path, content })) };
    await send(project.platform, writeDataModelFiles, { params: { deploymentId: String(demo.shop) }, body });
    expect(await run('pull', '--yes')).toMatchObject({ code: 0, err: '' });
    expect([read('modelbench.json'), read('apps/modelbench.txt')]).toEqual([link, 'other']);
    expect(await json('push', '--yes')).toMatchObject({ changes: [] });
    expect(await remote('modelbench.json')).toBe(theirs);
  });

  it('sends no file to a branch that is not a dev branch', async () => {
    const { run } = await linkProject();
    const ended = await run('push', 'main', '--yes');
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('is not a dev-mode branch');
  });
});
