import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { send } from '#support/platform.ts';
import { realEngine } from '#support/real-engine.ts';
import { tools } from '#tools/tools.ts';

const PATH = 'model/cubes/orders.yml';
const broken = 'cubes: [{name: orders, sql_table: t, measures: [{name: m, type: number, sql: "{nope}"}]}]\n';
const cube = (table: string): string => `cubes: [{name: orders, sql_table: ${table}}]\n`;

/** Makes a project in which a command has findings, and returns its arguments. */
type Case = (project: LinkedProject) => Promise<readonly string[]>;

const pushed = async (project: LinkedProject, text: string): Promise<void> => {
  await project.run('pull', '--yes');
  project.write(PATH, text);
  expect((await project.run('push', '--yes')).err).toBe('');
};
/** A file that the folder and the branch both changed. */
const conflicting: Case = async (project) => {
  await project.run('pull', '--yes');
  project.write(PATH, cube('ours'));
  await send(project.platform, writeDataModelFiles, {
    params: { deploymentId: String(demo.shop) },
    body: { branchName: project.branch, files: [{ path: PATH, content: cube('theirs') }] },
  });
  return ['--yes'];
};
const failedBuild: Case = async (project) => {
  await pushed(project, 'cubes: [{name: orders, sql_table: BROKEN}]\n');
  await project.platform.control.buildSettled(demo.shop, project.branch);
  return [project.branch];
};
/** Resolves to the options that confirm a step, with the name that its plan asks for. */
const confirmed = async ({ json }: LinkedProject, ...args: readonly string[]): Promise<readonly string[]> => {
  const { confirm } = await json(...args);
  return [...args.slice(1), '--yes', ...(typeof confirm === 'string' ? ['--yes-production', confirm] : [])];
};

const WITH_FINDINGS: Readonly<Record<string, Case>> = {
  check: async ({ write }) => {
    write(PATH, broken);
    return Promise.resolve([]);
  },
  diff: async ({ folder, write }) => {
    write(PATH, cube('t'));
    const git = (...args: readonly string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
    write(PATH, broken);
    return Promise.resolve([]);
  },
  write: async () => Promise.resolve([PATH, '--content', broken]),
  test: async ({ write }) => {
    const tests = 'tests:\n  - name: Too many\n    rowCount: 9999\n';
    write('queries/a.query.yml', `query: {measures: [orders.count]}\n${tests}`);
    return Promise.resolve([]);
  },
  builds: failedBuild,
  validate: failedBuild,
  push: conflicting,
  pull: conflicting,
  resolve: conflicting,
  commit: async (project) => {
    await pushed(project, cube('ours'));
    await project.platform.control.colleagueCommit(demo.shop, 'main', { [PATH]: cube('theirs') });
    return confirmed(project, 'commit', 'Change orders');
  },
  merge: async (project) => {
    const { control } = project.platform;
    await control.colleagueCommit(demo.shop, demo.sharedBranch, { [PATH]: cube('ours') });
    await control.colleagueCommit(demo.shop, 'main', { [PATH]: cube('theirs') });
    return confirmed(project, 'merge', demo.sharedBranch);
  },
  deploy: async (project) => {
    for (const name of ['a', 'b', 'c', 'd']) project.write(`model/cubes/${name}.yml`, cube(name));
    const first = await project.run('deploy', ...(await confirmed(project, 'deploy')));
    expect(first).toMatchObject({ code: 0, err: '' });
    // A plan that deletes everything must be named.
    rmSync(join(project.folder, 'model/cubes'), { recursive: true });
    return confirmed(project, 'deploy');
  },
};

const NEEDS: Readonly<Record<string, Parameters<typeof linkProject>[0]>> = {
  // Tests need results, which only the platform's own compiler can get.
  test: { engine: realEngine() },
  deploy: { deployment: demo.cli },
};

/** Commands that have an answer or none. */
const WITHOUT_FINDINGS = [
  ...['search', 'read', 'graph', 'impact', 'status', 'branches', 'query', 'sql', 'logs', 'plan', 'undo', 'restore'],
];

describe('a command', () => {
  it.each(Object.entries(WITH_FINDINGS))('ends with 1 where it has findings: %s', async (name, prepare) => {
    const project = await linkProject(NEEDS[name] ?? {});
    const args = await prepare(project);
    const { code, out, err } = await project.run(name, ...args);
    expect({ code, err, out }).toEqual({ code: 1, err: '', out: expect.stringMatching(/\S/) as string });
  });

  it('has a case above, or never has findings', () => {
    const named = [...Object.keys(WITH_FINDINGS), ...WITHOUT_FINDINGS];
    expect(named.sort()).toEqual(tools.map(({ name }) => name).sort());
  });
});
