import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelProjects } from '#model/projects.ts';
import { notModels } from '#support/language/not-models.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';

const CUBE = yaml`
  cubes:
    - name: orders
      sql_table: t
`;
const SCRIPT = 'cube(`orders`, { sql: `select 1` });\n';

async function found(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const projects = await modelProjects(Object.keys(files), (path) => Promise.resolve(files[path]));
  return projects.map(({ model, configuration }) =>
    configuration === undefined ? model : `${model} by ${configuration}`,
  );
}

describe('data models in a folder', () => {
  it.each([
    ['beside its configuration', { 'cube.py': '', 'model/cubes/a.yml': CUBE }, ['model by cube.py']],
    ['in the folder with the old name', { 'cube.js': '', 'schema/Orders.js': SCRIPT }, ['schema by cube.js']],
    [
      'in “model” rather than “schema”',
      { 'cube.js': '', 'schema/a.js': SCRIPT, 'model/a.yml': CUBE },
      ['model by cube.js', 'schema'],
    ],
    [
      'where the configuration says so',
      { 'cube.js': "module.exports = { schemaPath: './semantic/layer' };", 'semantic/layer/a.yml': CUBE },
      ['semantic/layer by cube.js'],
    ],
    [
      'where Python says so',
      { 'bi/cube.py': "config.schema_path = 'semantic'", 'bi/semantic/a.yml': CUBE },
      ['bi/semantic by bi/cube.py'],
    ],
    [
      'beside a configuration with a comment',
      {
        'cube.js': js`
          // schemaPath: 'old'
          module.exports = {};`,
        'model/a.yml': CUBE,
      },
      ['model by cube.js'],
    ],
    [
      'without a configuration',
      {
        'model/views/a.yml': yaml`
          views:
            - name: a
        `,
      },
      ['model'],
    ],
    [
      'as templates',
      {
        'model/cubes/a.yml.jinja': jinja`
          cubes:
          {% for a in b %}
        `,
      },
      ['model'],
    ],
    [
      'of which one is JavaScript',
      { 'model/user.js': notModels['model/user.js'] ?? '', 'model/a.js': SCRIPT },
      ['model'],
    ],
    [
      'in a folder that is opened itself',
      {
        'cubes/a.yml': CUBE,
        'views/b.yml': yaml`
          views:
            - name: b
        `,
      },
      [''],
    ],
    ['of an embedded product', { 'src/app.ts': '', 'src/models/cubes/a.cube.yml': CUBE }, ['src/models']],
    ['beside the code', { 'src/orders/orders.cube.yml': CUBE }, ['src/orders']],
    [
      'of several projects',
      {
        'a/cube.js': '',
        'a/model/a.yml': CUBE,
        'b/cube.py': '',
        'b/model/a.yml': CUBE,
        'packages/c/model/a.yml': CUBE,
      },
      ['a/model by a/cube.js', 'b/model by b/cube.py', 'packages/c/model'],
    ],
    [
      'of a project in a folder called model',
      { 'model/cube.js': '', 'model/model/a.yml': CUBE },
      ['model/model by model/cube.js'],
    ],
  ] as const)('are found %s', async (_, files, expected) => {
    expect(await found(files)).toEqual(expected);
  });

  it.each([
    ['of other tools', notModels],
    ['of packages', { 'node_modules/x/cube.js': '', 'node_modules/x/model/a.yml': CUBE }],
    ['of tools', { '.cache/model/a.yml': CUBE, 'venv/lib/model/a.yml': CUBE }],
    ['that are too deep', { 'a/b/c/d/e/f/g/h/model/a.yml': CUBE }],
    ['that cannot be read', { 'model/a.yml': undefined as unknown as string }],
    ['that lead out of the folder', { 'x/cube.js': "schemaPath: '../../etc'", 'x/y.yml': CUBE }],
  ])('are not found in files %s', async (_, files) => {
    expect(await found(files)).toEqual([]);
  });

  it('are found in all real projects', async () => {
    const paths = globSync('**/*.{yml,yaml,js,jinja,py}', { cwd: 'test/fixtures/corpora' });
    const read = (path: string): Promise<string> =>
      Promise.resolve(readFileSync(`test/fixtures/corpora/${path}`, 'utf8'));
    const models = (await modelProjects(paths, read)).map(({ model }) => model);
    expect(models).toEqual(
      expect.arrayContaining([
        'ix-eda-llm/model',
        'embeddable_starter_basics/src/models',
        'remarkable-pro-boilerplate/src/embeddable.com/models',
        'cube-fixtures/packages/cubejs-testing/birdbox-fixtures/rbac/model',
        'cube-fixtures/examples/recipes/column-based-access/schema',
      ]),
    );
  });

  it('do not depend on the order of the listing', async () => {
    const files = {
      'cube.js': '',
      'model/a.yml': CUBE,
      'b/cubes/a.yml': CUBE,
      'schema/a.js': SCRIPT,
      'c/x.cube.yml': CUBE,
    };
    const read = (path: string): Promise<string | undefined> =>
      Promise.resolve((files as Record<string, string>)[path]);
    const inOrder = await modelProjects(Object.keys(files), read);
    expect(inOrder).toHaveLength(4);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(Object.keys(files), { minLength: 5 }), async (paths) => {
        expect(await modelProjects(paths, read)).toEqual(inOrder);
      }),
    );
  });
});
