import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { send } from '#support/platform.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';

const PATH = 'model/cubes/öl & gas – (1).yml';
const text = (name: string): string => `cubes: [{name: ${name}, sql_table: t}]\n`;

interface Listed {
  readonly versions: readonly { readonly version: string; readonly path: string; readonly reason: string }[];
  readonly omitted: number;
}

async function listed(project: LinkedProject, ...args: readonly string[]): Promise<Listed> {
  return (await project.json('restore', ...args)) as unknown as Listed;
}

/** A project in which a pull has replaced one version of a file. */
async function replaced(): Promise<LinkedProject> {
  const project = await linkProject();
  await project.run('pull', '--yes');
  project.write(PATH, text('one'));
  expect(await project.run('push', '--yes')).toMatchObject({ code: 0 });
  const params = { deploymentId: String(demo.shop) };
  const body = { branchName: project.branch, files: [{ path: PATH, content: text('two') }] };
  await send(project.platform, writeDataModelFiles, { params, body });
  expect(await project.run('pull', '--yes')).toMatchObject({ code: 0 });
  expect(project.read(PATH)).toBe(text('two'));
  return project;
}

/** The folders with records of a branch. */
function records({ environment }: LinkedProject): readonly string[] {
  return readdirSync(environment.state ?? '', { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|[/\\])branches[/\\][^/\\]+$/.test(name))
    .toSorted();
}

describe('the trash of the command line', () => {
  it('is empty where nothing was replaced, and makes no folder for that', async () => {
    const project = await linkProject();
    expect(await project.run('restore')).toEqual({ code: 0, out: 'The trash has no such version.\n', err: '' });
  });

  it('lists what a pull replaced, and restores it, and takes that back', async () => {
    const project = await replaced();
    const { versions } = await listed(project, '--path', 'model/cubes');
    expect(versions).toMatchObject([{ path: PATH, reason: 'replaced by the platform’s version' }]);
    const { code, out } = await project.run('restore', versions[0]?.version ?? '');
    expect(code).toBe(0);
    expect(project.read(PATH)).toBe(text('one'));
    const back = /modelbench restore (\S+)$/m.exec(out)?.[1] ?? '';
    expect(out).toBe(`Restored ${PATH}. The version before is in the trash: modelbench restore ${back}\n`);
    expect(await project.run('restore', back)).toMatchObject({ code: 0 });
    expect(project.read(PATH)).toBe(text('two'));
    expect((await listed(project)).versions.length).toBe(3);
    expect(await listed(project, '--limit', '1')).toMatchObject({ versions: [{ path: PATH }], omitted: 2 });
    expect(await listed(project, '--path', 'model/cub')).toMatchObject({ versions: [] });
  });

  it('opens no records for that: those of the folder stay as they were', async () => {
    const project = await replaced();
    const [first] = (await listed(project)).versions;
    const before = records(project);
    expect(before.length).toBe(1);
    expect(await project.run('restore', first?.version ?? '')).toMatchObject({ code: 0 });
    expect(records(project)).toEqual(before);
  });

  it('brings back a file whose folder is gone, without a version to take back', async () => {
    const project = await replaced();
    const [first] = (await listed(project)).versions;
    rmSync(join(project.folder, 'model/cubes'), { recursive: true });
    expect(await project.run('restore', first?.version ?? '')).toEqual({
      code: 0,
      out: `Restored ${PATH}.\n`,
      err: '',
    });
    expect(project.read(PATH)).toBe(text('one'));
  });

  it('restores one of two at the same time, or both in turn, and loses none', async () => {
    const project = await replaced();
    const [first] = (await listed(project)).versions;
    project.write(PATH, text('three'));
    const ends = await Promise.all([1, 2].map(async () => project.run('restore', first?.version ?? '')));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(project.read(PATH)).toBe(text('one'));
    expect((await listed(project)).versions.length).toBe(2);
  });

  it.each(['none', '../../x', ''])('refuses a version that it does not have: “%s”', async (version) => {
    const project = await linkProject();
    const { code, out, err } = await project.run('restore', version);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('The trash has no version');
  });

  it('leaves everything as it is where a folder is in the place of the file', async () => {
    const project = await replaced();
    const [first] = (await listed(project)).versions;
    rmSync(join(project.folder, PATH));
    project.write(`${PATH}/inside.yml`, text('three'));
    const { code, out, err } = await project.run('restore', first?.version ?? '');
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(PATH);
    expect(project.read(`${PATH}/inside.yml`)).toBe(text('three'));
    expect((await listed(project)).versions).toMatchObject([first ?? {}]);
  });
});
