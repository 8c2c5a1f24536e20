import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { demo } from '#platform/seed/names.ts';
import { yaml } from '#support/language/raw.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import type { Tool } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';
import { realEngine } from '#support/real-engine.ts';

/** A path of a file of a model, in whatever text. */
const PATHS = /[\w./%~-]+\.(?:yml|yaml|jinja|js)\b/g;

/** Calls of the tools whose answers have paths, from the folder above the project. */
const calls: Readonly<Record<string, readonly (readonly string[])[]>> = {
  check: [['--severity', 'hint']],
  search: [['refunds']],
  read: [['refunds']],
  impact: [['orders.count']],
  diff: [[], ['--branch', 'main'], ['--branch', 'main', '--of', demo.sharedBranch]],
  validate: [['DEV']],
  test: [[]],
  plan: [[]],
  push: [[]],
  pull: [[]],
  write: [['project/model/cubes/refunds.yml', '--find', 'name: half', '--replace', 'name: halves']],
  undo: [['TOKEN']],
  commit: [['Add refunds']],
  merge: [['DEV']],
};
/** Tools that show no file. */
const without = ['graph', 'status', 'branches', 'builds', 'query', 'sql', 'logs', 'deploy', 'resolve', 'restore'];

const cube = yaml`
  cubes:
    - name: refunds
      sql_table: refunds
      title: {x: 1}
      measures:
        - {name: count, type: cuont}
        - {name: half, type: number, sql: "{count} / 2"}
`;

async function linked(): Promise<LinkedProject> {
  const project = await linkProject({ engine: realEngine() });
  await project.run('pull', '--yes');
  project.write('model/cubes/refunds.yml', cube);
  project.write('model/cubes/odd.js', 'cube({\n');
  project.write('queries/a.query.yml', 'query: {measures: [orders.nothing]}\ntests: [{name: a, rowCount: 1}]\n');
  await project.run('push', '--yes');
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: project.folder });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  project.write('model/cubes/refunds.yml', cube.replace('name: count', 'name: counted'));
  // Only the shared branch has a model in it.
  project.write('model/views/pricing.yml', 'views: []\n');
  project.write('model/cubes/later.yml', cube.replaceAll('refunds', 'later'));
  return project;
}

describe('a path in an answer', () => {
  it('opens from where the command line was started, whatever the tool and the format', async () => {
    const project = await linked();
    const from = dirname(project.folder);
    const runIn = async (folder: string, ...args: readonly string[]): Promise<string> => {
      let [out, err] = ['', ''];
      await runCommandLine([...args, '--folder', folder], {
        ...{ ...project.environment, folder: from },
        stdout: (text) => (out += text),
        stderr: (text) => (err += text),
      });
      return `${out}${err}`;
    };
    const run = async (...args: readonly string[]): Promise<string> => runIn('project', ...args);
    // The same user changes a file in another folder.
    mkdirSync(join(from, 'other'));
    copyFileSync(join(project.folder, 'modelbench.json'), join(from, 'other/modelbench.json'));
    await runIn('other', 'pull', '--yes');
    appendFileSync(join(from, 'other/model/cubes/orders.yml'), '# changed elsewhere\n');
    await runIn('other', 'push', '--yes');
    let token = '';
    const lost: Record<string, readonly string[]> = {};
    const talking = new Set<string>();
    for (const tool of tools.filter(({ name }) => !without.includes(name)))
      for (const args of calls[tool.name] ?? [])
        for (const format of formatsOf(tool)) {
          const given = args.map((arg) => ({ DEV: project.branch, TOKEN: token })[arg] ?? arg);
          const shown = await run(tool.name, ...given, '--format', format);
          token = /modelbench undo (\S+)/.exec(shown)?.[1] ?? token;
          const paths = [...new Set(shown.match(PATHS))].map((path) =>
            format === 'sarif' ? decodeURIComponent(path) : path,
          );
          const call = [tool.name, ...args, format].join(' ');
          if (paths.length > 0) talking.add(tool.name);
          const closed = paths.filter((path) => !existsSync(resolve(from, path)));
          if (closed.length > 0) lost[call] = closed;
        }
    expect(lost).toEqual({});
    expect([...talking].sort()).toEqual(Object.keys(calls).sort());
    expect(Object.keys(calls).concat(without).sort()).toEqual(tools.map(({ name }) => name).sort());
  });
});

/** One that changes a file runs once. */
function formatsOf({ name, formats }: Tool): readonly string[] {
  return name === 'write' || name === 'undo' ? ['text'] : formats;
}
