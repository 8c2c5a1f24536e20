import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { linkChoices, topNames } from '#features/folders/link-choices.ts';
import { isListed, listedModels } from '#features/language/listed-models.ts';
import { namedModelFolder } from '#model/named-model-folder.ts';
import { places } from '#support/cli-places.ts';
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
interface Shape {
  readonly files: Readonly<Record<string, string>>;
  /** Whether the extension starts. */
  readonly starts: boolean;
  /** The models that it finds. */
  readonly models: readonly string[];
  /** What *Link Folder* offers. */
  readonly link: readonly string[];
  /** What `modelbench check` writes. */
  readonly check: string | RegExp;
}

const NO_MODEL = /There is no data model: no file defines a cube or a view/;

const shapes: Readonly<Record<string, Shape>> = {
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
    link: ['model'],
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
    link: ['model', '.'],
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
    link: ['model'],
    check: /several data models: “apps\/one\/model”, “apps\/two\/model”\. Choose the folder of one project\./,
  },
  'a model with folders for its teams': {
    files: { 'sales/cubes/a.yml': cube('a'), 'finance/cubes/b.yml': cube('b') },
    starts: true,
    models: ['finance', 'sales'],
    link: ['model'],
    check: 'No problems in 2 files.\n',
  },
  'a dbt project with a project inside': {
    files: { ...DBT, 'cube/model/cubes/a.yml': cube('a'), 'cube/cube.py': PYTHON },
    starts: true,
    models: ['cube/model'],
    link: ['model'],
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
  'files of other tools': { files: tools, starts: false, models: [], link: ['model'], check: NO_MODEL },
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
    link: ['model'],
    check: 'No problems in 1 file.\n',
  },
};

const { activationEvents } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly activationEvents: readonly string[];
};

/** Whether VS Code would start the extension; it leaves out what its own search excludes. */
function starts(paths: readonly string[]): boolean {
  const globs = activationEvents.flatMap((event) => event.split('workspaceContains:')[1] ?? []);
  const folders = paths.map((path) => dirname(path));
  return [...paths, ...folders]
    .filter((path) => !path.startsWith('node_modules/'))
    .some((path) => globs.some((glob) => matchesGlob(path, glob)));
}

function made(files: Shape['files']): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-shape-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe.each(Object.entries(shapes))('a folder with %s', (_, { files, ...expected }) => {
  const paths = Object.keys(files);

  it('starts the extension, has its models found and is linked as expected', async () => {
    const listed = paths.filter((path) => isListed(`/${path}`));
    const read = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);
    const list = (folder: string): Promise<readonly string[]> =>
      Promise.resolve(paths.filter((path) => path.startsWith(`${folder}/`)));
    const { models } = await listedModels({ paths: listed, read, list });
    const named = namedModelFolder(files['cube.js'] ?? files['cube.py'] ?? '');
    expect({
      starts: starts(paths),
      models: models.map(({ model }) => model),
      link: linkChoices(topNames(paths), named).map(({ modelPath }) => modelPath),
    }).toEqual({ starts: expected.starts, models: expected.models, link: expected.link });
  });

  it('has problems reported in models only', async () => {
    const folder = made(files);
    let output = '';
    const write = (text: string): void => void (output += text);
    await runCommandLine(['check'], {
      folder,
      stdout: write,
      stderr: write,
      isInteractive: false,
      ...places(folder),
      signal: new AbortController().signal,
      variables: {},
    });
    expect(output).toMatch(expected.check instanceof RegExp ? expected.check : new RegExp(`^${expected.check}$`));
  });
});
