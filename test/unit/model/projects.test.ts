import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelProjects } from '#model/project/projects.ts';
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
    expect(models.sort()).toMatchInlineSnapshot(`
      [
        "cube-fixtures/examples/recipes/active-users/schema",
        "cube-fixtures/examples/recipes/changing-visibility-of-cubes-or-views/schema",
        "cube-fixtures/examples/recipes/column-based-access/schema",
        "cube-fixtures/examples/recipes/entity-attribute-value/schema",
        "cube-fixtures/examples/recipes/getting-unique-values-for-a-field/schema",
        "cube-fixtures/examples/recipes/joining-multiple-databases-data/schema",
        "cube-fixtures/examples/recipes/joining-multiple-datasources-data/schema",
        "cube-fixtures/examples/recipes/lambda-view/schema",
        "cube-fixtures/examples/recipes/mandatory-filters/schema",
        "cube-fixtures/examples/recipes/multiple-data-sources/schema",
        "cube-fixtures/examples/recipes/non-additivity/schema",
        "cube-fixtures/examples/recipes/pagination/schema",
        "cube-fixtures/examples/recipes/passing-dynamic-parameters-in-query/schema",
        "cube-fixtures/examples/recipes/percentiles/schema",
        "cube-fixtures/examples/recipes/referencing-dynamic-measures/schema",
        "cube-fixtures/examples/recipes/refreshing-select-partitions/schema",
        "cube-fixtures/examples/recipes/role-based-access/schema",
        "cube-fixtures/examples/recipes/snapshots/schema",
        "cube-fixtures/examples/recipes/using-different-schemas-for-tenants/schema/avocado",
        "cube-fixtures/examples/recipes/using-different-schemas-for-tenants/schema/mango",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/duckdb/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/firebolt/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/lambda/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/materialize/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/mssql/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/multidb/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/oracle/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/postgresql/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/presto/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/questdb/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/rbac-python/model",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/rbac/model",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/smoke/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/snowflake/schema",
        "cube-fixtures/packages/cubejs-testing/birdbox-fixtures/vertica/schema",
        "embeddable_starter_basics/src/models",
        "error-matrix/acl-bad-operator/model",
        "error-matrix/acl-role/model",
        "error-matrix/acl-unknown-member/model",
        "error-matrix/bad-dim-type/model",
        "error-matrix/bad-name/model",
        "error-matrix/bad-ref-bare/model",
        "error-matrix/both-sql/model",
        "error-matrix/default-filters-unknown/model",
        "error-matrix/dim-no-type/model",
        "error-matrix/drill-unknown/model",
        "error-matrix/dup-cube/model",
        "error-matrix/dup-dim/model",
        "error-matrix/dup-join/model",
        "error-matrix/extends-unknown/model",
        "error-matrix/hierarchy-unknown-level/model",
        "error-matrix/jinja-syntax/model",
        "error-matrix/join-no-pk/model",
        "error-matrix/join-unknown-cube/model",
        "error-matrix/js-bad-ref/model",
        "error-matrix/js-dup-key/model",
        "error-matrix/measure-no-sql/model",
        "error-matrix/multi-stage-w-o-flag/model",
        "error-matrix/null-measures/model",
        "error-matrix/null-value/model",
        "error-matrix/ok/model",
        "error-matrix/pre-agg-bad-type/model",
        "error-matrix/pre-agg-unquoted-name/model",
        "error-matrix/two-bad-refs/model",
        "error-matrix/unclosed-brace/model",
        "error-matrix/unknown-dim-key/model",
        "error-matrix/unknown-top-key/model",
        "error-matrix/view-no-includes/model",
        "error-matrix/view-no-join-path/model",
        "error-matrix/view-own-measure/model",
        "error-matrix/view-unknown-member/model",
        "error-matrix/yaml-syntax/model",
        "ix-eda-llm/model",
        "remarkable-pro-boilerplate/src/embeddable.com/models",
        "vanilla-components/src/models",
      ]
    `);
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
