import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { notModels } from '#support/language/not-models.ts';
import { yaml } from '#support/language/raw.ts';

const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;
/** A cube with a mistake, which shows that a file is checked. */
const WRONG = yaml`
  cubes:
    - name: wrong
      sql_tabel: t
`;
const PYTHON = 'from cube import config\n';
const DBT = {
  'dbt_project.yml': 'name: shop\nmodels:\n  shop:\n    +materialized: view\n',
  'models/staging/schema.yml': 'version: 2\nmodels:\n  - name: orders\n    columns: [{name: id}]\n',
  'models/staging/orders.sql': "select * from {{ ref('raw') }}\n",
  'macros/cents.jinja': '{% macro cents(c) %}{{ c / 100 }}{% endmacro %}\n',
};
/** Files of other tools, without those that a project of Cube has as well. */
const tools = Object.fromEntries(
  Object.entries(notModels).filter(([path]) => path !== 'cube.js' && !path.startsWith('agents/')),
);

/** Files of other tools in a folder that is called as a model's. */
const OTHERS = {
  'model/user.js': 'module.exports = (sequelize) => sequelize.define("user", {});\n',
  'model/schema.yml': 'version: 2\nmodels:\n  - name: orders\n',
  'model/templates/service.yaml': '{{- if .Values.x }}\nkind: Service\n{{- end }}\n',
  'schema/person.yml': 'type: object\nproperties: {name: {type: string}}\n',
};

/** A folder that someone opens. */
export interface Shape {
  readonly files: Readonly<Record<string, string>>;
  /** Symbolic links, by path, with what each leads to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Whether the extension starts. */
  readonly starts: boolean;
  /** The models that it finds. */
  readonly models: readonly string[];
  /** The folders that *Link Folder* offers, if it asks: the one that is open is empty. */
  readonly projects?: readonly string[];
  /** What *Link Folder* offers as `modelPath` in the first of them. */
  readonly link: readonly string[];
  /** What *Clone* offers as `modelPath` where a branch has these files; as *Link Folder* by default. */
  readonly clone?: readonly string[];
  /** The files that a push of the folder, linked in the first of these ways, transfers; those below the
   * first of these by default. */
  readonly push?: readonly string[];
  /** The files that a deploy of the whole folder does not upload. */
  readonly kept?: readonly string[];
  /** What `modelbench check` writes. */
  readonly check: string | RegExp;
}

const NO_MODEL = /There is no data model: no file defines a cube or a view/;

/** Projects as people have them, and folders of other tools. */
export const shapes: Readonly<Record<string, Shape>> = {
  'model/': {
    files: { 'model/cubes/a.yml': cube('a') },
    starts: true,
    models: ['model'],
    link: ['model'],
    check: 'No problems in 1 file.\n',
  },
  'schema/ with cube.js': {
    files: { 'schema/A.js': 'cube(`A`, { sql: `SELECT 1` });\n', 'cube.js': 'module.exports = {};\n' },
    starts: true,
    models: ['schema'],
    link: ['schema', '.'],
    check: 'No problems in 1 file.\n',
  },
  'a model in a folder of another name': {
    files: { 'semantic/layer/cubes/a.yml': cube('a') },
    starts: true,
    models: ['semantic/layer'],
    link: ['semantic/layer', '.'],
    check: 'No problems in 1 file.\n',
  },
  'cube.js that names the folder': {
    files: { 'semantic/a.yml': WRONG, 'cube.js': "module.exports = { schemaPath: 'semantic' };\n" },
    starts: true,
    // The folder of a configuration counts, whatever it is called.
    models: ['semantic'],
    link: ['semantic', '.'],
    check: /sql_tabel/,
  },
  'cube.js that computes the folder': {
    files: {
      'semantic/cubes/a.yml': cube('a'),
      'cube.js': "module.exports = { repositoryFactory: () => new FileRepository('semantic') };\n",
    },
    starts: true,
    models: ['semantic'],
    link: ['semantic', '.'],
    check: 'No problems in 1 file.\n',
  },
  'cube.py without a model': {
    files: { 'cube.py': PYTHON },
    starts: true,
    models: [],
    link: ['model', '.'],
    check: NO_MODEL,
  },
  'two projects in one repository': {
    files: { 'apps/one/model/cubes/a.yml': cube('a'), 'apps/two/model/a.yml': cube('a'), 'apps/two/cube.py': PYTHON },
    starts: true,
    models: ['apps/one/model', 'apps/two/model'],
    projects: ['apps/one', 'apps/two', ''],
    link: ['model'],
    clone: ['apps/one/model', 'apps/two/model', '.'],
    push: ['apps/one/model/cubes/a.yml'],
    check: /several data models: “apps\/one\/model”, “apps\/two\/model”\. Choose the folder of one project\./,
  },
  'a model with folders for its teams': {
    files: { 'sales/cubes/a.yml': cube('a'), 'finance/cubes/b.yml': cube('b') },
    starts: true,
    models: ['finance', 'sales'],
    link: ['finance', 'sales', '.'],
    push: ['finance/cubes/b.yml'],
    check: 'No problems in 2 files.\n',
  },
  'a dbt project with a project inside': {
    files: { ...DBT, 'cube/model/cubes/a.yml': cube('a'), 'cube/cube.py': PYTHON },
    starts: true,
    models: ['cube/model'],
    projects: ['cube', ''],
    link: ['model', '.'],
    clone: ['cube/model', '.'],
    push: ['cube/model/cubes/a.yml'],
    check: 'No problems in 1 file.\n',
  },
  'a dbt project': { files: DBT, starts: false, models: [], link: ['model'], check: NO_MODEL },
  'folders of other tools called model and schema': {
    files: OTHERS,
    starts: true,
    models: [],
    link: ['model'],
    check: NO_MODEL,
  },
  'a model beside a folder of another tool called model': {
    files: { ...OTHERS, 'schema/cubes/a.yml': cube('a') },
    starts: true,
    models: ['schema'],
    link: ['model'],
    // The folder is a model now, so what the engine would refuse in it is reported.
    check: /^schema\/person\.yml:1:1: error/,
  },
  'agents, macros and globals.py': {
    files: {
      'model/cubes/a.yml': cube('a'),
      'model/macros/money.jinja': '{% macro money(x) %}{{ x }}{% endmacro %}\n',
      'model/globals.py': 'from cube import TemplateContext\ntemplate = TemplateContext()\n',
      'agents/rules/tone.md': '---\ntype: always\n---\nAnswer briefly.\n',
      'package.json': '{}',
    },
    starts: true,
    models: ['model'],
    link: ['model', '.'],
    check: /^No problems in \d files\.\n$/,
  },
  nothing: { files: {}, starts: false, models: [], link: ['model'], check: NO_MODEL },
  'files of other tools': {
    files: tools,
    // VS Code cannot look into scripts: its “model/user.js” starts the extension, which then finds no model.
    starts: true,
    models: [],
    link: ['model'],
    push: ['model/user.js'],
    check: NO_MODEL,
  },
  'a model between files of other tools': {
    files: { ...tools, 'model/cubes/a.yml': cube('a') },
    starts: true,
    models: ['model'],
    link: ['model'],
    // The engine compiles every script in the folder of a model, and refuses this one.
    check: /^model\/user\.js.*\n1 error in 2 files\.\n$/,
  },
  'a model in node_modules': {
    files: { 'node_modules/x/model/cubes/a.yml': cube('a'), 'package.json': '{}' },
    starts: false,
    models: [],
    link: ['model'],
    check: NO_MODEL,
  },
  'names with spaces and accents': {
    files: { 'größe 1/model/cubes/été.yml': cube('a') },
    starts: true,
    models: ['größe 1/model'],
    projects: ['größe 1', ''],
    link: ['model'],
    clone: ['größe 1/model', '.'],
    check: 'No problems in 1 file.\n',
  },
  'a workspace of npm packages': {
    files: {
      'package.json': '{"workspaces": ["packages/*"]}',
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'packages/web/model/user.js': 'export const user = { name: "" };\n',
      'packages/web/package.json': '{}',
      'packages/semantic/package.json': '{}',
      'packages/semantic/cube.js': 'module.exports = {};\n',
      'packages/semantic/model/cubes/a.yml': cube('a'),
    },
    links: { 'node_modules/semantic': '../packages/semantic' },
    starts: true,
    models: ['packages/semantic/model'],
    projects: ['packages/semantic', ''],
    link: ['model', '.'],
    clone: ['packages/semantic/model', '.'],
    push: ['packages/semantic/model/cubes/a.yml'],
    check: 'No problems in 1 file.\n',
  },
  'a model folder that is a link into the project': {
    files: { 'shared/layer/cubes/a.yml': cube('a') },
    links: { model: 'shared/layer' },
    starts: true,
    models: ['shared/layer'],
    link: ['model'],
    clone: ['shared/layer', '.'],
    push: ['model/cubes/a.yml'],
    check: 'No problems in 1 file.\n',
  },
  'a Git worktree': {
    files: { '.git': 'gitdir: /home/ada/shop/.git/worktrees/shop-2\n', 'model/a.yml': cube('a') },
    starts: true,
    models: ['model'],
    link: ['model'],
    kept: ['.git'],
    push: ['model/a.yml'],
    check: 'No problems in 1 file.\n',
  },
  'names that are special in addresses': {
    files: { 'a #1 100%/q&x=1/model/cubes/50% + #2.yml': cube('a') },
    starts: true,
    models: ['a #1 100%/q&x=1/model'],
    projects: ['a #1 100%/q&x=1', ''],
    link: ['model'],
    clone: ['a #1 100%/q&x=1/model', '.'],
    push: ['a #1 100%/q&x=1/model/cubes/50% + #2.yml'],
    check: 'No problems in 1 file.\n',
  },
  'an example project inside of a project': {
    files: {
      'cube.py': PYTHON,
      'model/cubes/a.yml': cube('a'),
      'examples/demo/cube.js': 'module.exports = {};\n',
      'examples/demo/model/cubes/b.yml': cube('b'),
    },
    starts: true,
    models: ['examples/demo/model', 'model'],
    link: ['model', '.'],
    push: ['model/cubes/a.yml'],
    check: 'No problems in 1 file.\n',
  },
  'cube.py that names the folder': {
    files: {
      'cube.py': "from cube import config\nconfig.schema_path = 'semantic layer'\n",
      'semantic layer/a.yml': cube('a'),
    },
    starts: true,
    models: ['semantic layer'],
    link: ['semantic layer', '.'],
    push: ['semantic layer/a.yml'],
    check: 'No problems in 1 file.\n',
  },
  'containers beside the model': {
    files: {
      Dockerfile: 'FROM cubejs/cube\n',
      'docker-compose.yml': 'services:\n  cube:\n    image: cubejs/cube\n    volumes: [".:/cube/conf"]\n',
      '.env': 'CUBEJS_DB_TYPE=duckdb\n',
      '.dockerignore': 'node_modules\n',
      'model/a.yml': cube('a'),
    },
    starts: true,
    models: ['model'],
    link: ['model'],
    push: ['model/a.yml'],
    kept: ['.env', '.dockerignore'],
    check: 'No problems in 1 file.\n',
  },
  'a variable that names the folder': {
    files: { '.env': 'CUBEJS_DB_TYPE=duckdb\nCUBEJS_SCHEMA_PATH=semantic\n', 'semantic/a.yml': WRONG },
    starts: true,
    models: ['semantic'],
    link: ['semantic'],
    kept: ['.env'],
    check: /sql_tabel/,
  },
  'cube.js that joins the folder from a variable': {
    files: {
      'cube.js': "module.exports = { schemaPath: path.join('bi', process.env.MODELS || 'layer') };\n",
      '.env': 'MODELS=semantic\n',
      '.gitignore': '.env\n',
      'bi/semantic/a.yml': WRONG,
    },
    starts: true,
    models: ['bi/semantic'],
    link: ['bi/semantic', '.'],
    kept: ['.env'],
    check: /sql_tabel/,
  },
  'a model for each tenant': {
    files: {
      'cube.js': 'module.exports = { repositoryFactory: ({ appId }) => new FileRepository(`model/${appId}`) };\n',
      'model/one/a.yml': cube('a'),
      'model/two/a.yml': cube('a'),
    },
    starts: true,
    models: ['model/one', 'model/two'],
    link: ['model', '.'],
    push: ['model/one/a.yml', 'model/two/a.yml'],
    check: /several data models: “model\/one”, “model\/two”\. Choose the folder of one project\./,
  },
  'a folder that a container mounts as the model': {
    files: {
      'docker-compose.yml':
        'services:\n  cube:\n    volumes: ["./cube/cube.js:/cube/conf/cube.js", "./layer:/cube/conf/model:ro"]\n',
      'cube/cube.js': 'module.exports = {};\n',
      'layer/a.yml': cube('a'),
    },
    starts: true,
    models: ['layer'],
    projects: ['cube', ''],
    link: ['model', '.'],
    clone: ['layer', '.'],
    check: 'No problems in 1 file.\n',
  },
  'a folder called Model': {
    files: { 'Model/cubes/a.yml': cube('a'), 'cube.js': 'module.exports = {};\n' },
    starts: true,
    models: ['Model'],
    link: ['Model', '.'],
    push: ['Model/cubes/a.yml'],
    check: 'No problems in 1 file.\n',
  },
  'scripts alone': {
    files: { 'model/Orders.js': 'cube(`Orders`, { sql_table: `orders` });\n' },
    starts: true,
    models: ['model'],
    link: ['model'],
    check: 'No problems in 1 file.\n',
  },
  'scripts alone, in folders of teams': {
    files: {
      'server/schema/sales/Orders.js':
        'asyncModule(async () => {\n  cube(`Orders`, {\n    sql: `SELECT 1`,\n  });\n});\n',
      'server/index.js': 'require("express")();\n',
    },
    starts: true,
    models: ['server/schema'],
    projects: ['server', ''],
    link: ['schema'],
    clone: ['server/schema', '.'],
    push: ['server/schema/sales/Orders.js'],
    check: 'No problems in 1 file.\n',
  },
  'scripts of other libraries called models': {
    files: {
      'model/user.js': "const { Model } = require('sequelize');\nclass User extends Model {}\nmodule.exports = User;\n",
      'model/post.js':
        "const { Schema, model } = require('mongoose');\nmodule.exports = model('Post', new Schema({ title: String }));\n",
      'schema/cube.js': 'function view(req, res) {\n  return cube(res);\n}\nview(a, b);\ncube(3);\n',
    },
    starts: true,
    models: [],
    link: ['model'],
    push: ['model/user.js', 'model/post.js'],
    check: NO_MODEL,
  },
  'scripts of other libraries in folders called models': {
    files: { 'models/user.js': 'module.exports = class User {};\n', 'src/schemas/post.js': 'export default {};\n' },
    starts: false,
    models: [],
    link: ['model'],
    push: [],
    check: NO_MODEL,
  },
  'cubes at its top': {
    files: {
      'cubes/a.yml': cube('a'),
      'views/b.yml': 'views:\n  - name: b\n    cubes:\n      - join_path: a\n        includes: "*"\n',
      'README.md': '# Shop\n',
    },
    starts: true,
    models: [''],
    link: ['.'],
    check: 'No problems in 2 files.\n',
  },
};

/** Makes a folder of this shape on the disk, which is removed when the test ends. */
export function makeShape({ files, links = {} }: Pick<Shape, 'files' | 'links'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-shape-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const at = (path: string): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(at(path), text);
  for (const [path, target] of Object.entries(links)) symlinkSync(target, at(path));
  return folder;
}
