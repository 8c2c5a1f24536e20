import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineTemplates } from '#features/folders/command-line-files.ts';
import { builtCommandLine } from '#support/packed-command-line.ts';
import { blocksOf, filled, follow, outOf, skillsFolder } from '#support/followed-skill.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';
import { realEngine } from '#support/real-engine.ts';

/** A project that is unlike the sample: its files, and how a count is written in the file of the cube `orders`. */
interface Shape {
  readonly modelPath?: string;
  /** The file of the cube `orders`. */
  readonly file: string;
  readonly files: Readonly<Record<string, string>>;
  readonly count: string;
  /** Whether the project is a folder of a repository that has more. */
  readonly isInside?: true;
}

const customers = yaml`
  cubes:
    - name: customers
      sql_table: customers
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
      measures:
        - {name: count, type: count}
`;

const orders = yaml`
  cubes:
    - name: orders
      sql_table: orders
      joins:
        - {name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: status, sql: status, type: string}
      measures:
        - {name: count, type: count}
`;

const cube = 'type: count}';

const shapes: Readonly<Record<string, Shape>> = {
  'a folder of a monorepo': {
    file: 'model/cubes/orders.yml',
    files: { 'model/cubes/orders.yml': orders, 'model/cubes/customers.yml': customers },
    count: cube,
    isInside: true,
  },
  'a project whose model is nested': {
    modelPath: 'model/shop',
    file: 'model/shop/orders.yml',
    files: { 'model/shop/orders.yml': orders, 'model/shop/customers.yml': customers },
    count: cube,
  },
  'a JavaScript model': {
    file: 'model/orders.js',
    files: {
      'model/orders.js': js`
        cube('orders', {
          sql_table: 'orders',
          joins: { customers: { relationship: 'many_to_one', sql: \`\${CUBE}.customer_id = \${customers.id}\` } },
          dimensions: {
            id: { sql: 'id', type: 'number', primary_key: true },
            status: { sql: 'status', type: 'string' },
          },
          measures: { count: { type: 'count' } },
        });
      `,
      'model/customers.js': js`
        cube('customers', {
          sql_table: 'customers',
          dimensions: { id: { sql: 'id', type: 'number', primary_key: true } },
          measures: { count: { type: 'count' } },
        });
      `,
    },
    count: "type: 'count' } }",
  },
  'a model of templates': {
    file: 'model/cubes/all.yml.jinja',
    files: {
      'model/cubes/all.yml.jinja': jinja`
        {%- set joins = {'orders': 'customers', 'customers': none} %}
        cubes:
        {%- for name, other in joins.items() %}
          - name: {{ name }}
            sql_table: {{ name }}
            {%- if other %}
            joins:
              - {name: {{ other }}, relationship: many_to_one, sql: "{CUBE}.customer_id = {{ ('{' ~ other ~ '.id}') | safe }}"}
            {%- endif %}
            dimensions:
              - {name: id, sql: id, type: number, primary_key: true}
              - {name: status, sql: {{ "status" if other else "id" }}, type: string}
            measures:
              - {name: count, type: count}
        {%- endfor %}
      `,
    },
    count: cube,
  },
  'a model in one file, without views': {
    file: 'model/all.yml',
    files: { 'model/all.yml': `${customers}${orders.replace('cubes:\n', '')}` },
    count: cube,
  },
};

/** Pushes everything that is new, whatever warnings there are. */
async function pushed(project: LinkedProject): Promise<void> {
  const planned = await project.run('push', '--format', 'json');
  expect(planned.err).toBe('');
  const { plan } = JSON.parse(planned.out) as { readonly plan: string };
  expect(await project.json('push', '--yes', '--plan', plan)).toMatchObject({ status: 'done' });
}

let built: string;
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'modelbench-skills-'));
  await builtCommandLine(built, ['engine-process', 'templates']);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Puts the files of a shape into a project in the place of the sample, on its dev branch as well. */
async function shaped({ files, modelPath, isInside }: Shape): Promise<LinkedProject> {
  const inDist = (name: string): string => join(built, 'built', name);
  const programs = {
    program: inDist('engine-process.js'),
    bundle: inDist('engine.js'),
    renderer: inDist('templates.js'),
    templates: inDist(engineTemplates),
  };
  const project = await linkProject({ engine: realEngine(), programs });
  const link = JSON.parse(project.read('modelbench.json') ?? '') as object;
  const linkTo = (path: string): void => project.write('modelbench.json', JSON.stringify({ ...link, modelPath: path }));
  // Only the whole branch has both folders.
  if (modelPath !== undefined) linkTo('.');
  await project.run('pull', '--yes');
  rmSync(join(project.folder, 'model'), { recursive: true });
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  await pushed(project);
  if (modelPath !== undefined) {
    linkTo(modelPath);
    await project.run('plan');
  }
  const root = isInside === true ? dirname(project.folder) : project.folder;
  if (isInside === true) {
    mkdirSync(join(root, 'other/model'), { recursive: true });
    writeFileSync(join(root, 'other/model/broken.yml'), 'cubes: [{name: orders}]\n');
  }
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  return project;
}

const ends = (steps: readonly { readonly command: string; readonly code: number }[]): readonly string[] =>
  steps.flatMap(({ command, code }) => (code === 0 ? [] : [command]));

describe.each(Object.entries(shapes))('following a skill in %s', (_, shape) => {
  const { file, files, count, modelPath = 'model' } = shape;
  const [once = count] = (files[file] ?? '')
    .split('\n')
    .filter((line) => line.includes(count))
    .slice(-1);

  it('model-source adds a cube that is joined and can be counted', async () => {
    const project = await shaped(shape);
    const values = {
      ...{
        TABLE: 'orders',
        CUBE: 'items',
        OTHER: 'customers',
        FOREIGN_KEY: 'customer_id',
        PRIMARY_KEY: 'id',
        KEY: 'id',
      },
      FILE: join(dirname(file), 'items.yml'),
      BRANCH: project.branch,
    };
    const text = readFileSync(`${skillsFolder}/modelbench-model-source/SKILL.md`, 'utf8');
    const template = (blocksOf(text, 'yaml')[0] ?? '').replace('{CUBE}.', '{cube}.');
    const content = filled(template, values).replace('{cube}.', '{CUBE}.');
    const steps = await follow('modelbench-model-source', project, { ...values, CONTENT: content });
    expect(ends(steps)).toEqual([]);
    expect(outOf(steps, 'graph CUBE')).toContain('items → customers');
    expect(outOf(steps, 'query')).toMatch(/^items\.count\n\d+\n/);
  });

  it('fix-build finds the error of a branch and leaves it built', async () => {
    const project = await shaped(shape);
    project.write(file, (files[file] ?? '').replace(once, once.replace(/type: ('?)count/, 'type: $1cuont')));
    await pushed(project);
    const steps = await follow('modelbench-fix-build', project, {
      BRANCH: project.branch,
      FILE: file,
      OLD: 'cuont',
      NEW: 'count',
    });
    expect(steps[0]).toMatchObject({ command: 'builds', code: 1 });
    expect(steps.find(({ command }) => command === 'check')).toMatchObject({
      out: expect.stringContaining(`${file}:`) as string,
    });
    expect(outOf(steps, 'check')).toContain('No problems');
    expect(steps.at(-1)).toMatchObject({ command: 'builds BRANCH', code: 0 });
  });

  it('review-branch shows what a change breaks', async () => {
    const project = await shaped(shape);
    project.write(
      join(dirname(modelPath), 'queries/orders.query.yml'),
      'query: {measures: [orders.how_many]}\ntests: [{name: has rows, rowCount: 1}]\n',
    );
    project.write(file, (files[file] ?? '').replaceAll(/(name: )?count(?=,|: \{)/g, '$1how_many'));
    await pushed(project);
    const steps = await follow('modelbench-review-branch', project, {
      ...{ BASE: 'main', CUBE: 'orders', MEMBER: 'how_many', BRANCH: project.branch },
    });
    expect(steps.map(({ code }) => code)).toEqual(steps.map(() => 0));
    expect(outOf(steps, 'diff')).toMatch(/^renamed orders\.count → orders\.how_many/m);
    expect(outOf(steps, 'test')).toContain('1 test passed.');
  });
});
