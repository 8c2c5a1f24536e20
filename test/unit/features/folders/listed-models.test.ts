import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isListed, listedModels } from '#features/folders/listed-models.ts';
import { yaml } from '#support/language/raw.ts';

const CUBE = yaml`
  cubes:
    - name: orders
      sql_table: t
`;

async function modelsIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const read = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);
  const { models } = await listedModels({ paths: Object.keys(files), read });
  return models.map(({ model }) => model);
}

describe('a search for models', () => {
  it('leaves out what Git ignores', async () => {
    const models = { 'a/model/a.yml': CUBE, 'build/model/a.yml': CUBE, 'b/copy/model/a.yml': CUBE };
    expect(await modelsIn({ ...models, '.gitignore': '/build\n', 'b/.gitignore': 'copy/\n' })).toEqual(['a/model']);
    expect(await modelsIn(models)).toHaveLength(3);
  });

  it('lists the folder that a configuration names, whatever it is called', async () => {
    const files: Readonly<Record<string, string>> = {
      'shop/cube.js': "module.exports = { schemaPath: './semantic/layer' };\n",
      'shop/semantic/layer/a.yml': CUBE,
      'other/cube.py': "config.schema_path = '../../outside'\n",
    };
    const read = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);
    const listed: string[] = [];
    const list = (folder: string): Promise<readonly string[]> => {
      listed.push(folder);
      return Promise.resolve(Object.keys(files).filter((path) => path.startsWith(`${folder}/`)));
    };
    const paths = Object.keys(files).filter((path) => isListed(`/${path}`));
    const { models, named } = await listedModels({ paths, read, list });
    expect(models).toEqual([{ model: 'shop/semantic/layer', configuration: 'shop/cube.js' }]);
    expect([named, listed]).toEqual([['shop/semantic/layer'], ['shop/semantic/layer']]);
  });

  it.each([
    ['/shop/cube.js', true],
    ['/shop/bi/cube.py', true],
    ['/shop/.gitignore', true],
    ['/shop/model/cubes/orders.yml', true],
    ['/shop/schema/Orders.js', true],
    ['/shop/cubes/orders.yml.jinja', true],
    ['/shop/src/orders.cube.yaml', true],
    ['/shop/node_modules/a/cube.js', false],
    ['/shop/src/model.ts', false],
    ['/shop/models/schema.yml', false],
    ['/shop/.env', true],
    ['/shop/docker-compose.dev.yml', true],
    ['/shop/composer.yml', false],
    ['/shop/chart/values.yml', false],
  ])('knows whether %s matters', (path, expected) => {
    expect(isListed(path)).toBe(expected);
  });

  // VS Code looks names up at once. All globs are one search, which it gives up after seven seconds: then nothing is activated.
  it('is begun by the manifest for what it would find, with few globs', () => {
    const { activationEvents } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly activationEvents: readonly string[];
    };
    expect(activationEvents.filter((event) => event.startsWith('workspaceContains:'))).toEqual([
      'workspaceContains:modelbench.json',
      'workspaceContains:cube.py',
      'workspaceContains:cube.js',
      'workspaceContains:.env',
      'workspaceContains:model/cubes',
      'workspaceContains:**/{modelbench.json,cube.py,cube.js}',
      'workspaceContains:**/model/**/*.{yml,yaml,jinja}',
      'workspaceContains:**/{model,schema}/**/*.js',
      'workspaceContains:**/cubes/*.{yml,yaml,jinja}',
      'workspaceContains:**/*.cube.{yml,yaml,js}',
    ]);
  });
});
