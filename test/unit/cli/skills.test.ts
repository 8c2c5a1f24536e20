import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addDoubleCount,
  added,
  blocksOf,
  commandsOf,
  filled,
  follow,
  outOf,
  skillsFolder,
} from '#support/followed-skill.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { tools } from '#tools/tools.ts';
import { js, yaml } from '#support/language/raw.ts';
import { realEngine } from '#support/real-engine.ts';

const skills = readdirSync(skillsFolder);

/** A project on a platform whose queries are answered, with the files of its dev branch. */
async function pulledProject(): Promise<LinkedProject> {
  const project = await linkProject({ engine: realEngine() });
  await project.run('pull', '--yes');
  return project;
}

describe('a skill', () => {
  it.each(skills)('%s has the name of its folder, a description and only commands that exist', (skill) => {
    const text = readFileSync(`${skillsFolder}/${skill}/SKILL.md`, 'utf8');
    const [, name = '', description = ''] = /^---\nname: ([a-z0-9-]+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
    expect(name).toBe(skill);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(1024);
    const known = tools.map((tool) => tool.name);
    for (const [, command = ''] of commandsOf(skill)) expect(known).toContain(command);
  });

  it.each(skills)('%s does nothing that reaches production', (skill) => {
    for (const args of commandsOf(skill)) {
      expect(args).not.toContain('--yes-production');
      expect(['commit', 'merge', 'deploy']).not.toContain(args[1]);
    }
  });
});

describe('following the skill', () => {
  it('add-measure adds a measure that answers on the dev branch', async () => {
    const project = await pulledProject();
    const measures = '\n    measures:\n';
    const double =
      '      - name: double_count\n        title: Double count\n        type: number\n        sql: "{count} * 2"\n';
    const at = { CUBE: 'orders', FILE: 'model/cubes/orders.yml', OLD: measures, NEW: `${measures}${double}` };
    expect(await addDoubleCount(project, at)).toEqual(added);
  });

  it('model-source adds a cube that is joined and can be counted', async () => {
    const project = await pulledProject();
    const values = {
      TABLE: 'orders',
      CUBE: 'receipts',
      OTHER: 'customers',
      FOREIGN_KEY: 'customer_id',
      PRIMARY_KEY: 'id',
      KEY: 'id',
      FILE: 'model/cubes/receipts.yml',
      BRANCH: project.branch,
    };
    const text = readFileSync(`${skillsFolder}/modelbench-model-source/SKILL.md`, 'utf8');
    // `CUBE` in braces is a name of the language.
    const template = (blocksOf(text, 'yaml')[0] ?? '').replace('{CUBE}.', '{cube}.');
    const content = filled(template, values).replace('{cube}.', '{CUBE}.');
    const steps = await follow('modelbench-model-source', project, { ...values, CONTENT: content });
    expect(steps.map(({ code }) => code)).toEqual(steps.map(() => 0));
    expect(outOf(steps, 'graph CUBE')).toContain('receipts → customers');
    expect(outOf(steps, 'query')).toMatch(/^receipts\.count\n\d+\n/);
  });

  it('fix-build finds the error of a branch and leaves it built', async () => {
    const project = await pulledProject();
    const file = 'model/cubes/orders.yml';
    const whole = project.read(file) ?? '';
    project.write(file, whole.replace('type: count', 'type: cuont'));
    await project.run('push', '--yes');
    const steps = await follow('modelbench-fix-build', project, {
      BRANCH: project.branch,
      FILE: file,
      OLD: 'cuont',
      NEW: 'count',
    });
    expect(steps[0]).toMatchObject({ command: 'builds', code: 1 });
    expect(steps.find(({ command }) => command === 'check')?.code).toBe(1);
    expect(outOf(steps, 'check')).toContain('No problems');
    expect(steps.at(-1)).toMatchObject({ command: 'builds BRANCH', code: 0 });
  });

  it('review-branch shows what a change breaks', async () => {
    const project = await pulledProject();
    const git = (...args: readonly string[]): void => {
      const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
      execFileSync('git', [...who, ...args], { cwd: project.folder, stdio: 'ignore' });
    };
    git('init', '--quiet', '--initial-branch', 'main');
    project.write(
      'queries/orders.query.yml',
      yaml`
        query:
          measures: [orders.count]
        tests:
          - name: has rows
            expect: { rows: 1 }
      `,
    );
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
    const file = 'model/cubes/orders.yml';
    project.write(file, (project.read(file) ?? '').replace('name: count\n', 'name: how_many\n'));
    const steps = await follow('modelbench-review-branch', project, {
      BASE: 'HEAD',
      CUBE: 'orders',
      MEMBER: 'how_many',
      BRANCH: project.branch,
    });
    expect(outOf(steps, 'diff')).toContain('orders.count');
    expect(outOf(steps, 'test')).toMatch(/passed|failed/);
  });

  it('explain-number shows definition, lineage, SQL and rows', async () => {
    const project = await pulledProject();
    const steps = await follow('modelbench-explain-number', project, {
      WORDS: 'count',
      CUBE: 'orders',
      MEASURE: 'count',
      DIMENSION: 'status',
      BRANCH: project.branch,
    });
    expect(steps.map(({ code }) => code)).toEqual(steps.map(() => 0));
    expect(outOf(steps, 'sql')).toMatch(/select/i);
    expect(outOf(steps, 'query')).toContain('orders.status');
  });
});

describe('following the skill in a project of another shape', () => {
  it('add-measure adds a measure to a JavaScript model', async () => {
    const project = await pulledProject();
    const file = 'model/cubes/visits.js';
    const count = "count: { type: 'count' },";
    project.write(
      file,
      js`
        cube('visits', {
          sql_table: 'orders',
          dimensions: { id: { sql: 'id', type: 'number', primary_key: true } },
          measures: { ${count} },
        });
      `,
    );
    const double = `${count} double_count: { type: 'number', sql: \`\${count} * 2\` },`;
    expect(await addDoubleCount(project, { CUBE: 'visits', FILE: file, OLD: count, NEW: double })).toEqual(added);
  });

  it('explain-number explains a number of a model that is the folder itself', async () => {
    const project = await linkProject({ engine: realEngine() });
    const link = JSON.parse(project.read('modelbench.json') ?? '') as object;
    project.write('modelbench.json', JSON.stringify({ ...link, modelPath: '.' }));
    await project.run('pull', '--yes');
    const steps = await follow('modelbench-explain-number', project, {
      WORDS: 'count',
      CUBE: 'orders',
      MEASURE: 'count',
      DIMENSION: 'status',
      BRANCH: project.branch,
    });
    expect(steps.map(({ code }) => code)).toEqual(steps.map(() => 0));
    expect(outOf(steps, 'read')).toMatch(/^orders\.count \(measure count\)/);
    expect(outOf(steps, 'query')).toContain('orders.status');
  });
});
