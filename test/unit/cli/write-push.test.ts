import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { send } from '#support/platform.ts';

const PATH = 'model/cubes/parcels.yml';
const cube = (table: string): string => `cubes: [{name: parcels, sql_table: ${table}}]\n`;

async function onBranch({ platform, branch }: LinkedProject, content: string): Promise<void> {
  const params = { deploymentId: String(demo.shop) };
  await send(platform, writeDataModelFiles, { params, body: { branchName: branch, files: [{ path: PATH, content }] } });
}

/** A project that has what its branch has, with a file in both. */
async function pushed(): Promise<LinkedProject> {
  const project = await linkProject();
  await project.run('pull', '--yes');
  project.write(PATH, cube('a'));
  expect(await project.run('push', '--yes')).toMatchObject({ code: 0, err: '' });
  return project;
}

describe('write with --push', () => {
  it('says that the file is on the branch, also where it already was', async () => {
    const project = await pushed();
    for (const table of ['b', 'b']) {
      const ended = await project.run('write', PATH, '--content', cube(table), '--push');
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`Pushed to ${project.branch}.`) as string });
      expect(await project.remote(PATH)).toBe(cube('b'));
    }
    const removed = await project.json('write', PATH, '--remove', '--push');
    expect(removed).toMatchObject({ change: 'delete', pushed: 'done' });
    expect(await project.remote(PATH)).toBeUndefined();
  });

  it.each<[string, (project: LinkedProject) => Promise<unknown>, readonly string[], RegExp]>([
    [
      'a conflict',
      async (project) => onBranch(project, cube('theirs')),
      [PATH, '--content', cube('ours')],
      /It was not pushed, because it is in conflict \(changed on both sides\)\. “resolve” merges both versions or takes one\./,
    ],
    [
      'a newer version on the branch',
      async (project) => {
        project.write(PATH, cube('ours'));
        await onBranch(project, cube('theirs'));
      },
      [PATH, '--content', cube('a')],
      /It was not pushed, because the branch has changed it since\. Pull it first\./,
    ],
    [
      'a rule that ignores it',
      async (project) => Promise.resolve(project.write('.modelbenchignore', 'new.yml\n')),
      ['model/cubes/new.yml', '--content', 'cubes: [{name: n, sql_table: n}]\n'],
      /It was not pushed, because a rule ignores it\./,
    ],
    [
      'a rename, which is more than this file',
      async (project) => Promise.resolve(project.write('model/cubes/other.yml', cube('a'))),
      [PATH, '--remove'],
      /It was not pushed, because it was renamed to model\/cubes\/other\.yml\. Use “push” for both\./,
    ],
  ])('does not say so where something keeps it back: %s', async (_, prepare, args, says) => {
    const project = await pushed();
    await prepare(project);
    const before = await project.remote(PATH);
    const ended = await project.run('write', ...args, '--push');
    expect(ended).toMatchObject({ code: 1, err: '', out: expect.stringMatching(says) as string });
    expect(await project.remote(PATH)).toBe(before);
  });
});
