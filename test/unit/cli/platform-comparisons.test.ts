import { describe, expect, it } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { linkProject } from '#support/linked-project.ts';

const path = 'model/cubes/parcels.yml';
const cube = (measure: string): string => `cubes:
  - name: parcels
    sql_table: parcels
    measures:
      - name: ${measure}
        type: count
`;

describe('diff', () => {
  it('compares the folder with a branch, and a branch with another one', async () => {
    const { run, json, write, branch } = await linkProject();
    await run('pull', '--yes');
    expect(await json('diff', '--branch', 'main')).toMatchObject({
      passed: true,
      base: 'main',
      files: [],
      changes: [],
    });
    write(path, cube('count'));
    const added = { files: [{ path, change: 'added' }], changes: [{ kind: 'added', what: 'cube', name: 'parcels' }] };
    expect(await json('diff', '--branch', 'main')).toMatchObject(added);
    expect(await json('diff', '--branch', 'main', '--of', branch)).toMatchObject({ files: [] });
    await run('push', '--yes');
    expect(await json('diff', '--branch', 'main', '--of', branch)).toMatchObject({ of: branch, ...added });
    expect(await json('diff', '--branch', branch, '--of', 'main')).toMatchObject({ changes: [{ kind: 'removed' }] });
  });

  it('shows paths as the folder has them', async () => {
    const { run, json, write, folder } = await linkProject();
    await run('pull', '--yes');
    write(path, cube('count'));
    const { files } = await json('diff', '--branch', 'main', '--folder', `${folder}/model`, '--deployment', '1');
    expect(files).toEqual([{ path, change: 'added' }]);
  });

  it('is called wrongly with two bases, without a base of the platform, and with an unknown branch', async () => {
    const { run } = await linkProject();
    expect(await run('diff', 'HEAD', '--branch', 'main')).toMatchObject({ code: 2, out: '' });
    expect(await run('diff', '--of', 'main')).toMatchObject({ code: 2, out: '' });
    expect((await run('diff', '--branch', 'mian', '--of', 'main')).err).toContain('Did you mean “main”?');
  });

  it('names the reports and dashboards that use what is gone', async () => {
    const { run, json, read, write } = await linkProject();
    await run('pull', '--yes');
    const view = 'model/views/sales.yml';
    write(view, (read(view) ?? '').replace('name: sales\n', 'name: sold\n'));
    const { changes, usedBy } = await json('diff', '--branch', 'main', '--workspace');
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'removed', what: 'view', name: 'sales' }));
    expect(usedBy).toContainEqual({ type: 'dashboard', name: 'Returns watch', names: ['sales.'] });
    expect((await run('diff', '--branch', 'main', '--workspace')).out).toContain(
      'dashboard “Returns watch” uses sales.',
    );
  });
});

describe('impact', () => {
  it('reaches the dashboards of the deployment, by others too, only where it is asked to', async () => {
    const { run, json } = await linkProject();
    await run('pull', '--yes');
    expect(await json('impact', 'sales')).not.toHaveProperty('usedBy');
    const whole = (await json('impact', 'sales', '--workspace')) as { readonly usedBy: readonly Use[] };
    expect(whole.usedBy).toContainEqual({ type: 'dashboard', name: 'Returns watch', names: ['sales.'] });
    const member = (await json('impact', 'line_items.revenue', '--workspace')) as { readonly usedBy: readonly Use[] };
    expect(member.usedBy.length).toBeGreaterThan(0);
    expect(new Set(member.usedBy.flatMap(({ names }) => names))).toEqual(new Set(['sales.revenue']));
    expect((await run('impact', 'suppliers.country', '--workspace')).out).toContain('No report, workbook or dashboard');
  });
});

interface Use {
  readonly type: string;
  readonly name: string;
  readonly names: readonly string[];
}

describe('validate', () => {
  it('says how many changes of the folder the dev branch does not have', async () => {
    const { run, json, write, branch } = await linkProject();
    await run('pull', '--yes');
    expect(await json('validate', branch)).toMatchObject({ valid: true, notPushed: 0 });
    write(path, cube('count'));
    expect(await json('validate', branch)).toMatchObject({ valid: true, notPushed: 1 });
    expect((await run('validate', branch)).out).toContain('1 change of the folder is not on it.');
    expect(await json('validate', demo.sharedBranch)).not.toHaveProperty('notPushed');
  });
});
