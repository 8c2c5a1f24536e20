import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { linkProject } from '#support/linked-project.ts';

const SUPPLIERS = 'model/cubes/suppliers.yml';

describe('a linked folder inside of another one, both linked to one dev branch', () => {
  it('is synced like another clone: what one of them pushes, the other one pulls', async () => {
    const { run, json, write, read, remote } = await linkProject();
    write('packages/shop/modelbench.json', read('modelbench.json') ?? '');
    const inner = ['--folder', 'packages/shop'];
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    expect(await run('pull', '--yes', ...inner)).toMatchObject({ code: 0 });
    write(`packages/shop/${SUPPLIERS}`, '# inner\n');
    expect(await json('push', '--yes', ...inner)).toMatchObject({ status: 'done', changes: [{ change: 'change' }] });
    expect(await remote(SUPPLIERS)).toBe('# inner\n');
    expect(await json('pull', '--yes')).toMatchObject({ status: 'done', changes: [{ change: 'change' }] });
    expect(read(SUPPLIERS)).toBe('# inner\n');
    for (const folder of [[], inner]) expect((await run('plan', ...folder)).out).toMatch(/^Nothing to push or pull: /);
  });

  it('is left alone by the whole project around it, which names it', async () => {
    const { run, json, write, read, folder, remote } = await linkProject();
    const tenant = 'https://platform.test';
    const whole = { tenant, deployment: String(demo.shop), modelPath: '.' };
    const inner = { tenant, deployment: String(demo.shop), modelPath: 'model' };
    writeFileSync(join(folder, 'modelbench.json'), JSON.stringify(whole));
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    write('packages/shop/modelbench.json', JSON.stringify(inner));
    write('packages/shop/model/cubes/own.yml', '# own\n');
    write('model/cubes/mine.yml', '# mine\n');
    expect((await json('plan'))['changes']).toContainEqual({
      ...{ path: 'packages/shop', way: 'none', change: 'frozen' },
      reason: 'a folder with a modelbench.json of its own, by which it is synced',
    });
    expect(await run('push', '--yes')).toMatchObject({ code: 0 });
    expect(await remote('packages/shop/model/cubes/own.yml')).toBeUndefined();
    expect(await remote('model/cubes/mine.yml')).toBe('# mine\n');
    expect(read('packages/shop/model/cubes/own.yml')).toBe('# own\n');
  });

  it('is not deleted from the branch where the whole project had sent it before it was linked', async () => {
    const { run, json, write, folder, remote } = await linkProject();
    const link = { tenant: 'https://platform.test', deployment: String(demo.shop), modelPath: '.' };
    writeFileSync(join(folder, 'modelbench.json'), JSON.stringify(link));
    write('packages/shop/model/own.yml', '# own\n');
    await run('pull', '--yes');
    expect(await run('push', '--yes')).toMatchObject({ code: 0 });
    expect(await remote('packages/shop/model/own.yml')).toBe('# own\n');
    write('packages/shop/modelbench.json', JSON.stringify({ ...link, modelPath: 'model' }));
    write('packages/shop/model/own.yml', '# newer\n');
    expect(await json('push', '--yes')).toMatchObject({ status: 'done', applied: [] });
    expect(await remote('packages/shop/model/own.yml')).toBe('# own\n');
  });
});
