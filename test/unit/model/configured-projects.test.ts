import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configuredProjects } from '#model/project/configuration/configured-projects.ts';
import { modelProjects, projectFolders } from '#model/project/projects.ts';
import { js, yaml } from '#support/language/raw.ts';

const CUBE = yaml`
  cubes:
    - name: orders
      sql_table: t
`;

async function found(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const projects = await modelProjects(Object.keys(files), (path) => Promise.resolve(files[path]));
  return projects.map(({ model, configuration }) =>
    configuration === undefined ? model : `${model} by ${configuration}`,
  );
}

/** Returns the folders that a `cube.js`, or a `cube.py` with this text, names; `…` stands for what is computed. */
function named(text: string, { name = 'cube.js', variables = '' } = {}): readonly string[] {
  const texts = new Map([
    [name, text],
    ['.env', variables],
  ]);
  return configuredProjects(texts).flatMap(({ folders }) => folders.map((folder) => folder.replaceAll('\0', '…')));
}

describe('the model folder in a cube.js', () => {
  it.each([
    ['a text', "module.exports = { schemaPath: 'semantic' };", ['semantic']],
    ['a key in quotes', 'module.exports = { "schemaPath": "semantic" };', ['semantic']],
    ['an assignment', "module.exports.schemaPath = 'semantic';", ['semantic']],
    ['a module of ES', 'export default { schemaPath: `semantic` };', ['semantic']],
    ['a variable with a default', "module.exports = { schemaPath: process.env.MODELS || 'semantic' };", ['semantic']],
    ['a variable in brackets', "module.exports = { schemaPath: process.env['MODELS'] ?? 'semantic' };", ['semantic']],
    ['a path that is joined', "module.exports = { schemaPath: path.join('bi', 'semantic') };", ['bi/semantic']],
    ['a path from its folder', "module.exports = { schemaPath: path.resolve(__dirname, './semantic') };", ['semantic']],
    ['a path from the folder in which it runs', "x = { schemaPath: join(process.cwd(), 'a') };", ['a']],
    [
      'texts that are added',
      "const base = 'bi';\nmodule.exports = { schemaPath: base + '/' + 'semantic' };",
      ['bi/semantic'],
    ],
    ['a constant in short', "const schemaPath = 'semantic';\nmodule.exports = { schemaPath };", ['semantic']],
    [
      'a constant in a text',
      'const root = `bi`;\nmodule.exports = { schemaPath: `${root}/semantic` };',
      ['bi/semantic'],
    ],
    ['a condition', "x = { schemaPath: process.env.NODE_ENV === 'production' ? 'prod' : 'dev' };", ['prod', 'dev']],
    ['a call with a default', "x = { schemaPath: folderOf(tenant) || 'semantic' };", ['semantic']],
    ['its own folder', "module.exports = { schemaPath: '.' };", ['']],
    ['a file repository', "x = { repositoryFactory: () => new FileRepository('semantic') };", ['semantic']],
    [
      'file repositories of tenants',
      'x = { repositoryFactory: ({ securityContext: s }) => new FileRepository(`tenants/${s.tenant}/model`) };',
      ['tenants/…/model'],
    ],
    ['a value that is computed', 'module.exports = { schemaPath: folderOf(tenant) };', []],
    ['a value of another module', "module.exports = { schemaPath: require('./paths').model };", []],
    ['a list', "module.exports = { schemaPath: ['semantic'] };", []],
    ['a comment', "// schemaPath: 'old'\n/* schemaPath: 'older' */\nmodule.exports = {};", []],
    ['a text that mentions it', 'module.exports = { note: "schemaPath: \'old\'" };', []],
    ['names that refer to each other', 'const a = b + b; const b = a + a;\nx = { schemaPath: a };', []],
    ['a path out of the project', "module.exports = { schemaPath: '../other' };", []],
  ])('is read from %s', (_, text, folders) => {
    expect(named(text)).toEqual(folders);
  });

  it('is that of the variable which the file reads', () => {
    const variables = 'MODELS=one\nCUBEJS_SCHEMA_PATH=two\n';
    expect(named("module.exports = { schemaPath: process.env.MODELS || 'x' };", { variables })).toEqual(['one']);
    expect(named('const { MODELS } = process.env; x = { schemaPath: MODELS };', { variables })).toEqual(['one']);
    expect(named('module.exports = {};', { variables })).toEqual(['two']);
    expect(named("module.exports = { schemaPath: 'three' };", { variables })).toEqual(['three']);
  });
});

describe('the model folder in a cube.py', () => {
  it.each([
    ['a text', "from cube import config\nconfig.schema_path = 'semantic'\n", ['semantic']],
    ['a variable with a default', "config.schema_path = os.environ.get('MODELS', 'semantic')", ['semantic']],
    ['another one', "config.schema_path = os.getenv('MODELS') or 'semantic'", ['semantic']],
    ['a path that is joined', "config.schema_path = os.path.join('bi', 'semantic')", ['bi/semantic']],
    ['a path from its folder', "x = os.path.join(os.path.dirname(__file__), 'bi')\nconfig.schema_path = x", ['bi']],
    ['a path of the library', "config.schema_path = str(Path(__file__).resolve().parent / 'semantic')", ['semantic']],
    ['a text with a constant', 'ROOT = \'bi\'\nconfig.schema_path = f"{ROOT}/semantic"', ['bi/semantic']],
    ['a condition', "config.schema_path = 'a' if os.getenv('X') == 'y' else 'b'", ['a', 'b']],
    ['a file repository', "def repository_factory(ctx):\n  return file_repository('semantic')", ['semantic']],
    ['a value that is computed', "return file_repository(ctx['securityContext']['schemaPath'])", []],
    ['a comment', "# config.schema_path = 'old'\n", []],
    ['a text of several lines', "'''\nconfig.schema_path = 'old'\n'''\n", []],
  ])('is read from %s', (_, text, folders) => {
    expect(named(text, { name: 'cube.py' })).toEqual(folders);
  });
});

describe('projects as people have them', () => {
  it.each([
    ['a variable alone', { '.env': 'CUBEJS_SCHEMA_PATH=semantic\n', 'semantic/a.yml': CUBE }, ['semantic by .env']],
    [
      'a variable in quotes beside a configuration',
      {
        '.env': '# x\nexport CUBEJS_SCHEMA_PATH="bi/semantic" # here\n',
        'cube.js': 'module.exports = {};',
        'bi/semantic/a.yml': CUBE,
      },
      ['bi/semantic by cube.js'],
    ],
    [
      'a variable that names nothing',
      { '.env': 'CUBEJS_SCHEMA_PATH=gone\n', 'cube.js': 'module.exports = {};', 'model/a.yml': CUBE },
      ['model by cube.js'],
    ],
    [
      'a variable of another name, which the engine does not read',
      { '.env': 'CUBEJS_MODEL_PATH=semantic\n', 'semantic/a.yml': CUBE },
      [],
    ],
    [
      'a name in another case',
      { 'cube.js': "module.exports = { schemaPath: 'Semantic' };", 'semantic/a.yml': CUBE },
      ['semantic by cube.js'],
    ],
    [
      'a model beside the folder of its configuration',
      { 'server/cube.js': "module.exports = { schemaPath: '../semantic' };", 'semantic/a.yml': CUBE },
      ['semantic by server/cube.js'],
    ],
    [
      'tenants',
      {
        'cube.js': 'x = { repositoryFactory: (c) => new FileRepository(`schema/${c.securityContext.tenant}`) };',
        'schema/one/a.yml': CUBE,
        'schema/two/a.yml': CUBE,
      },
      ['schema/one by cube.js', 'schema/two by cube.js'],
    ],
    [
      'one model that its configuration calls one of several',
      {
        'cube.js': 'x = { repositoryFactory: (c) => new FileRepository(`model/${c.appId}`) };',
        'model/cubes/a.yml': CUBE,
        'model/views/b.yml': 'views:\n  - name: b\n    cubes: [{join_path: orders, includes: "*"}]\n',
      },
      ['model by cube.js'],
    ],
    [
      'a folder that a container mounts as the model',
      {
        'docker-compose.yml': yaml`
          services:
            cube_api:
              image: cubejs/cube:latest
              volumes:
                - ./cube/cube.js:/cube/conf/cube.js:ro
                - "./semantic:/cube/conf/model:ro"
            db:
              image: postgres
              volumes:
                - ./data:/var/lib/postgresql/data
        `,
        'cube/cube.js': 'module.exports = {};',
        'semantic/a.yml': CUBE,
      },
      ['semantic by cube/cube.js'],
    ],
    [
      'a folder that a container mounts as the project',
      {
        'compose.yaml': yaml`
          services:
            cube:
              image: cubejs/cube
              environment:
                - CUBEJS_SCHEMA_PATH=layer
              volumes: # the project
                - \${PWD}/bi:/cube/conf
        `,
        'bi/layer/a.yml': CUBE,
      },
      ['bi/layer by compose.yaml'],
    ],
    [
      'a mount in the long form, with a variable',
      {
        'deploy/docker-compose.prod.yml': yaml`
          services:
            cube:
              env_file: .env
              environment:
                CUBEJS_DB_TYPE: postgres
              volumes:
                - type: bind
                  source: ../\${MODELS:-other}
                  target: /cube/conf/model/
        `,
        'deploy/.env': 'MODELS=semantic\n',
        'semantic/a.yml': CUBE,
      },
      ['semantic by deploy/docker-compose.prod.yml'],
    ],
    [
      'an image that is built from a folder',
      {
        'docker-compose.yml': yaml`
          services:
            analytics:
              build:
                context: ./analytics
              environment:
                CUBEJS_SCHEMA_PATH: "semantic"
        `,
        'analytics/semantic/a.yml': CUBE,
      },
      ['analytics/semantic by docker-compose.yml'],
    ],
    [
      'containers without a model of this folder',
      {
        'docker-compose.yml': yaml`
          services:
            cube:
              image: cubejs/cube
              volumes:
                - models:/cube/conf/model
                - /srv/cube:/cube/conf
            app:
              volumes: ["./app:/app"]
        `,
        'app/a.yml': CUBE,
      },
      [],
    ],
    [
      'packages with a model each, one of them nested',
      {
        'packages/a/cube.js': "module.exports = { schemaPath: 'src/cubes/model' };",
        'packages/a/src/cubes/model/a.yml': CUBE,
        'packages/a/examples/cube.py': "config.schema_path = 'layer'",
        'packages/a/examples/layer/a.yml': CUBE,
        'packages/b/.env': 'CUBEJS_SCHEMA_PATH=./layer/\n',
        'packages/b/layer/a.yml': CUBE,
      },
      [
        'packages/a/examples/layer by packages/a/examples/cube.py',
        'packages/a/src/cubes/model by packages/a/cube.js',
        'packages/b/layer by packages/b/.env',
      ],
    ],
    [
      'scripts in TypeScript, which the engine does not read',
      { 'cube.js': '', 'model/Orders.ts': 'cube(`Orders`, { sql: `select 1` });\n' },
      [],
    ],
  ] as const)('have their models found: %s', async (_, files, expected) => {
    expect(await found(files)).toEqual(expected);
  });

  it('have a model found behind any number of other files', async () => {
    const others = Array.from({ length: 500 }, (_, at) => [`model/${at}.js`, 'module.exports = 1;\n'] as const);
    expect(await found({ ...Object.fromEntries(others), 'model/zzz.js': 'cube(`A`, { sql: `x` });\n' })).toEqual([
      'model',
    ]);
    const more = others.map(([path, text]) => [path.replace('.js', '.yml'), text] as const);
    expect(await found({ ...Object.fromEntries(more), 'model/zzz.js': 'cube(`A`, { sql: `x` });\n' })).toEqual([
      'model',
    ]);
  });

  it('are not read any further once the time is over', async () => {
    const paths = Array.from({ length: 500 }, (_, at) => `model/${at}.js`);
    const reads: string[] = [];
    const read = async (path: string): Promise<string> => {
      reads.push(path);
      return Promise.resolve('');
    };
    expect(await modelProjects(paths, read, () => reads.length > 100)).toEqual([]);
    expect(reads.length).toBeLessThan(150);
  });
});

describe('any configuration', () => {
  const word = fc.constantFrom(
    ...[
      'schemaPath',
      'schema_path',
      'a',
      'b',
      '=',
      ':',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '?',
      '||',
      '??',
      '+',
      '/',
      ',',
      '.',
    ],
    ...[
      "'x'",
      '"y"',
      '`z${',
      '`',
      "f'{",
      'process.env.A',
      'os.environ.get',
      'path.join',
      '\n',
      '\\',
      '#',
      '//',
      '/*',
      '"""',
    ],
    ...['if', 'else', 'or', 'not', '!', 'new', 'FileRepository', '\0', '../'],
  );

  it('is read without an error, and names nothing outside of its project', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.constantFrom('cube.js', 'cube.py'), (words, name) => {
        const folders = projectFolders(new Map([[name, words.join(' ')]]));
        expect(folders.filter((path) => path.startsWith('/') || path.split('/').includes('..'))).toEqual([]);
      }),
    );
  });

  it.each([
    ['deep brackets', `x = { schemaPath: ${'('.repeat(50_000)}'a'`],
    ['a long sum', `x = { schemaPath: ${"'a' + ".repeat(20_000)}'b' }`],
    ['many choices', `x = { schemaPath: ${"a ? 'x' : ".repeat(5000)}'b' }`],
    ['texts in texts', `x = { schemaPath: ${'`${'.repeat(5000)} }`],
    [
      'many names',
      Array.from({ length: 200 }, (_, at) => `x${at} = x${at + 1} + x${at + 1};`).join('') + 'schemaPath = x0',
    ],
  ])('is read in a moment: %s', (_, text) => {
    expect(named(text).length).toBeLessThan(10);
    expect(named(text, { name: 'cube.py' }).length).toBeLessThan(10);
  });

  it('is never run', () => {
    expect(
      named(js`
      globalThis.wasRun = true;
      module.exports = { schemaPath: (() => { throw new Error('run'); })() };
    `),
    ).toEqual([]);
    expect('wasRun' in globalThis).toBe(false);
  });
});
