// Builds dist/: node esbuild.mjs [--production] [--watch] [--meta]
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { notices } from './test/tools/notices.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

const node = { platform: 'node', format: 'cjs', target: 'node22', mainFields: ['module', 'main'] };
const browser = { platform: 'browser', target: 'es2022' };
const preact = { jsx: 'automatic', jsxImportSource: 'preact' };

/**
 * Options for code in a realm without Node: the engine without its native modules and its process pool, with ten years of time
 * zones instead of all, and with plain JavaScript in place of Node's modules.
 */
const shims = './src/language-server/engine/realm/shims';
const absent = `${shims}/absent.ts`;
const onlyAskedFor = `${shims}/node.ts`;
export const inRealm = {
  platform: 'browser',
  format: 'iife',
  target: 'node22',
  conditions: ['node', 'require'],
  // The engine looks up its transpilers by class name, and expects default exports that only CommonJS builds have.
  keepNames: true,
  mainFields: ['main'],
  inject: ['./src/language-server/engine/realm/kept.ts'],
  define: { global: 'globalThis', __dirname: '"/"', __filename: '"/engine.js"' },
  alias: {
    workerpool: `${shims}/workerpool.ts`,
    'lru-cache': `${shims}/lru-cache.ts`,
    vm: `${shims}/vm.ts`,
    path: `${shims}/path.ts`,
    crypto: `${shims}/crypto.ts`,
    'node:crypto': `${shims}/crypto.ts`,
    async_hooks: `${shims}/async-hooks.ts`,
    ...Object.fromEntries(
      ['fs', 'os', 'tty', 'url', 'util', 'stream', 'events', 'zlib', 'child_process', 'perf_hooks', 'process']
        .concat('node:diagnostics_channel')
        .map((name) => [name, onlyAskedFor]),
    ),
    'moment-timezone': 'moment-timezone/builds/moment-timezone-with-data-10-year-range.js',
    shelljs: absent,
    tar: absent,
    'node-fetch': absent,
    decompress: absent,
    'http-proxy-agent': absent,
    'https-proxy-agent': absent,
    'proxy-agent': absent,
    'cli-progress': absent,
    'fs-extra': absent,
    '@octokit/core': absent,
    'node-stream-zip': absent,
    'generic-pool': absent,
    'cross-spawn': absent,
    '@oclif/color': `${shims}/colors.ts`,
    'throttle-debounce': absent,
  },
};

/**
 * Loads modules of the extension on demand, from separate bundles: `import()` becomes a `require`. Throws if a module does not
 * exist, because one that was renamed would end up in the bundle that asks for it.
 */
export const lazily = (modules) => ({
  name: 'lazily',
  setup(build) {
    for (const [module, bundle] of Object.entries(modules)) {
      if (!existsSync(join(root, 'src', module.slice(1))))
        throw new Error(`${module} of the bundle ${bundle} does not exist.`);
      const filter = new RegExp(`^${module.replaceAll(/[.#/]/g, String.raw`\$&`)}$`);
      build.onResolve({ filter }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./${bundle}.js`, external: true } : undefined,
      );
    }
  },
});

/** Includes VS Code's API once per bundle: esbuild would copy a `require`d module once for every file that imports it. */
const vscodeOnce = {
  name: 'vscode-once',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ kind, namespace }) =>
      kind === 'import-statement' && namespace !== 'vscode-once'
        ? { path: 'vscode', namespace: 'vscode-once' }
        : { path: 'vscode', external: true },
    );
    build.onLoad({ filter: /^vscode$/, namespace: 'vscode-once' }, () => ({ contents: `export * from 'vscode';` }));
  },
};

/**
 * Shares one copy of this package among all bundles of the host, because each copy tracks the reads of derived stores separately.
 */
const signalsOnce = {
  name: 'signals-once',
  setup(build) {
    build.onResolve({ filter: /^@preact\/signals-core$/ }, () => ({ path: './signals.js', external: true }));
  },
};

/** Files of `src/model` that other bundles take from a bundle of their own. */
const sharedFiles = new Map(
  ['syntax/script/script', 'syntax/script/code', 'syntax/script/visible-names', 'syntax/work']
    .map((name) => [name, 'scripts'])
    .concat([['project/projects', 'projects']])
    .map(([name, bundle]) => [join(root, `src/model/${name}.ts`), bundle]),
);

/**
 * Loads the reader of scripts with the parser of JavaScript, 250 KB, and the search for models from one file each: they are part of
 * the extension, the language server and the command line.
 */
const sharedOnce = {
  name: 'shared-once',
  setup(build) {
    build.onResolve(
      { filter: /(?:^|\/)(?:script|code|visible-names|work|projects)\.ts$/ },
      ({ path, resolveDir, kind }) => {
        if (kind === 'entry-point') return undefined;
        const bundle = sharedFiles.get(
          path.startsWith('#') ? join(root, 'src', path.slice(1)) : resolve(resolveDir, path),
        );
        return bundle === undefined ? undefined : { path: `./${bundle}.js`, external: true, sideEffects: false };
      },
    );
  },
};

/** Files of bundles inside bundles: their licences must be shown too. */
const insideWorkers = new Set();

/** Packages of Vega's transforms that no chart can use that our allow list of Vega-Lite lets through: 80 KB. */
export const unusedTransforms = ['crossfilter', 'force', 'hierarchy', 'label', 'voronoi', 'wordcloud'].map(
  (name) => `vega-${name}`,
);

/** Leaves out these packages, all of which Vega would load to offer their transforms. */
const usedTransforms = {
  name: 'used-transforms',
  setup(build) {
    const unused = new RegExp(`^(?:${unusedTransforms.join('|')})$`);
    build.onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'unused-transforms', sideEffects: false }));
    build.onLoad({ filter: /.*/, namespace: 'unused-transforms' }, () => ({ contents: 'export {};' }));
  },
};

/** Provides a worker's bundled code as a text, so that a page can start it without loading another file. */
const workerSource = {
  name: 'worker-source',
  setup(build) {
    build.onResolve({ filter: /^worker:/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice('worker:'.length)),
      namespace: 'worker-source',
    }));
    build.onLoad({ filter: /.*/, namespace: 'worker-source' }, async ({ path }) => {
      const { outputFiles, metafile } = await esbuild.build({
        ...browser,
        entryPoints: [path],
        absWorkingDir: root,
        bundle: true,
        write: false,
        format: 'iife',
        minify: true,
        legalComments: 'none',
        define: build.initialOptions.define,
        plugins: [usedTransforms],
        metafile: true,
      });
      for (const file of Object.keys(metafile.inputs)) insideWorkers.add(file);
      const watchFiles = Object.keys(metafile.inputs).map((file) => join(root, file));
      return { contents: outputFiles[0].text, loader: 'text', watchFiles };
    });
  },
};

/**
 * Keeps the large code that draws charts out of the pages: they load it with their first chart, all from one file beside theirs.
 */
const chartsApart = {
  name: 'charts-apart',
  setup(build) {
    build.onResolve({ filter: /^#shared\/page\/chart\/draw\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './charts.js', external: true } : undefined,
    );
  },
};

/**
 * Keeps only the Markdown parser of `marked`, 11 KB less: the package makes an instance of everything else when it is loaded, so that no
 * bundler can leave it out.
 */
const parserOnly = {
  name: 'parser-only',
  setup(build) {
    build.onLoad({ filter: /[/\\]marked\.esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const instance = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/.exec(source);
      const exported = ['Lexer', 'Tokenizer'].map((name) => new RegExp(`\\b\\w+ as ${name}\\b`).exec(source)?.[0]);
      if (!instance || exported.includes(undefined)) throw new Error(`${path} is built in another way than expected.`);
      return { contents: `${source.slice(0, instance.index)}export{${exported.join(',')}};` };
    });
  },
};

/** Options for a bundle in the extension host. It loads other bundles, and code that several of them share, only on demand. */
const inHost = {
  ...node,
  external: ['vscode'],
  supported: { 'dynamic-import': false },
  plugins: [
    vscodeOnce,
    signalsOnce,
    sharedOnce,
    lazily({
      '#features/language/vscode/client.ts': 'language-client',
      '#features/language/vscode/platform.ts': 'language-platform',
      '#features/data/vscode/open-queries.ts': 'queries',
      '#features/chat/vscode/contribution.ts': 'chat',
      '#features/folders/vscode/open-sync.ts': 'sync',
      '#features/platform/branch-contents.ts': 'sync',
      '#compose/deployment-work.ts': 'deployment-work',
      '#features/api-explorer/vscode/contribution.ts': 'explorer',
      '#features/administration/vscode/admin.ts': 'admin',
      '#features/administration/vscode/form-editors.ts': 'forms',
      '#compose/view-commands.ts': 'view-commands',
      '#compose/window-status.ts': 'folder-views',
      '#cli/main.ts': 'cli-main',
      '#features/builds/vscode/build-results.ts': 'build-results',
      '#features/changes/vscode/folder-views.ts': 'folder-views',
      '#features/changes/branch-delta.ts': 'folder-views',
      '#features/history/lent-files.ts': 'folder-views',
      '#features/history/vscode/put-back.ts': 'view-commands',
      '#features/folders/vscode/follow-link.ts': 'follow-link',
      '#features/platform/vscode/share-windows.ts': 'share-windows',
      '#features/review/vscode/review-panels.ts': 'review',
      '#features/folders/vscode/plan-source.ts': 'review',
      '#features/lineage/vscode/join-graph.ts': 'join-graph',
      '#sync/disk/erase-account.ts': 'erase-account',
      '#shell/vscode/dead-pages.ts': 'dead-pages',
      '#features/chat/vscode/saved-answers.ts': 'models',
      '#features/data/vscode/query-saving.ts': 'models',
      '#features/data/vscode/first-query.ts': 'first-query',
      '#features/data/vscode/test-explorer.ts': 'models',
      '#features/lineage/model-impact.ts': 'models',
      '#features/lineage/model-diff.ts': 'models',
      '#features/language/deploy-branch.ts': 'models',
      '#features/folders/listed-models.ts': 'models',
      '#model/proposed/elsewhere.ts': 'models',
      '#model/proposed/classify-blocks.ts': 'models',
      '#api/lost-replies/lost-replies.ts': 'deployment-work',
    }),
  ],
};

/**
 * Options for the command line: it runs without VS Code and contains all its dependencies, because it is also a separate package.
 */
const commandLine = {
  ...node,
  supported: { 'dynamic-import': false },
  plugins: [
    sharedOnce,
    lazily({ '#cli/main.ts': 'cli-main', '#cli/mcp/serve.ts': 'mcp', '#cli/folder-work.ts': 'cli-sync' }),
  ],
};

/** All bundles: name → entry point and options. The output is `dist/<name>.js`. */
export const bundles = {
  extension: { ...inHost, entry: 'src/extension.ts' },
  signals: { ...node, entry: 'node_modules/@preact/signals-core/dist/signals-core.mjs' },
  scripts: { ...node, entry: 'src/model/syntax/scripts.ts' },
  projects: { ...node, entry: 'src/model/project/projects.ts' },
  'view-commands': { ...inHost, entry: 'src/compose/view-commands.ts' },
  'build-results': { ...inHost, entry: 'src/features/builds/vscode/build-results.ts' },
  'folder-views': { ...inHost, entry: 'src/compose/folder-views.ts' },
  'share-windows': { ...inHost, entry: 'src/features/platform/vscode/share-windows.ts' },
  'follow-link': { ...inHost, entry: 'src/features/folders/vscode/follow-link.ts' },
  review: { ...inHost, entry: 'src/compose/reviews.ts' },
  'join-graph': { ...inHost, entry: 'src/features/lineage/vscode/join-graph.ts' },
  'erase-account': { ...inHost, entry: 'src/sync/disk/erase-account.ts' },
  'dead-pages': { ...inHost, entry: 'src/shell/vscode/dead-pages.ts' },
  'first-query': { ...inHost, entry: 'src/features/data/vscode/first-query.ts' },
  'language-client': { ...inHost, entry: 'src/features/language/vscode/client.ts' },
  'language-platform': { ...inHost, entry: 'src/features/language/vscode/platform.ts' },
  queries: { ...inHost, entry: 'src/features/data/vscode/open-queries.ts' },
  chat: { ...inHost, entry: 'src/features/chat/vscode/contribution.ts' },
  sync: { ...inHost, entry: 'src/features/folders/vscode/open-sync.ts' },
  'deployment-work': { ...inHost, entry: 'src/compose/deployment-work.ts' },
  admin: { ...inHost, entry: 'src/features/administration/vscode/admin.ts' },
  forms: { ...inHost, entry: 'src/features/administration/vscode/form-editors.ts' },
  explorer: { ...inHost, entry: 'src/features/api-explorer/vscode/contribution.ts' },
  models: { ...inHost, entry: 'src/compose/models.ts' },
  'language-server': {
    ...node,
    entry: 'src/language-server/main.ts',
    plugins: [sharedOnce],
    loader: { '.wasm': 'file' },
    assetNames: '[name]',
  },
  engine: { ...inRealm, entry: 'src/language-server/engine/realm/main.ts' },
  templates: { ...inRealm, entry: 'src/language-server/engine/realm/template-realm.ts' },
  'engine-process': { ...node, entry: 'src/language-server/engine/sandbox/child.ts' },
  'language-server.worker': { ...browser, entry: 'src/language-server/worker.ts', format: 'iife' },
  // Any version of Node can parse it, so that it can report which one is needed.
  cli: { ...commandLine, entry: 'src/cli/launch.ts', target: 'node12' },
  'cli-main': { ...commandLine, entry: 'src/cli/main.ts' },
  'cli-sync': { ...commandLine, entry: 'src/cli/folder-work.ts' },
  mcp: {
    ...commandLine,
    entry: 'src/cli/mcp/serve.ts',
    alias: { '@modelcontextprotocol/server/_shims': './src/cli/mcp/sdk-shims.ts' },
  },
  'hash-worker': { ...node, entry: 'src/sync/disk/hash-worker.ts' },
  'webview/chat': {
    ...browser,
    ...preact,
    entry: 'src/features/chat/page/main.tsx',
    format: 'esm',
    plugins: [chartsApart, parserOnly],
  },
  'webview/charts': { ...browser, entry: 'src/shared/page/chart/draw.ts', format: 'esm', plugins: [workerSource] },
  'webview/dashboard': { ...browser, ...preact, entry: 'src/features/dashboards/page/main.tsx', format: 'esm' },
  'webview/log': { ...browser, ...preact, entry: 'src/features/logs/page/main.tsx', format: 'esm' },
  'webview/review': { ...browser, ...preact, entry: 'src/features/review/page/main.tsx', format: 'esm' },
  'webview/form': { ...browser, ...preact, entry: 'src/features/administration/page/main.tsx', format: 'esm' },
  'webview/list': { ...browser, ...preact, entry: 'src/features/administration/page/list-main.tsx', format: 'esm' },
  'webview/playground': {
    ...browser,
    ...preact,
    entry: 'src/features/playground/page/main.tsx',
    format: 'esm',
    plugins: [chartsApart],
  },
  'webview/graph': { ...browser, ...preact, entry: 'src/features/lineage/page/main.tsx', format: 'esm' },
  'webview/results': { ...browser, ...preact, entry: 'src/features/data/page/main.tsx', format: 'esm' },
};

/** Returns the esbuild options of one bundle. */
export function bundleOptions(name, { production = false } = {}) {
  const { entry, ...options } = bundles[name];
  return {
    ...options,
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outdir: 'dist',
    bundle: true,
    minify: production,
    sourcemap: production ? false : 'linked',
    legalComments: 'none',
    define: { ...options.define, 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
    metafile: true,
    logLevel: 'warning',
  };
}

/** Builds every bundle whose entry exists; resolves to their sizes in bytes. */
export async function build({ production = false, meta = false } = {}) {
  await prepare();
  const inputs = new Set();
  const outputs = await Promise.all(
    present().map(async (name) => {
      const { metafile } = await esbuild.build(bundleOptions(name, { production }));
      for (const path of Object.keys(metafile.inputs)) inputs.add(path);
      if (meta) await writeMeta(name, metafile);
      return Object.entries(metafile.outputs).map(([path, output]) => ({ path, bytes: output.bytes }));
    }),
  );
  if (production) outputs.push([await writeNotices(inputs.union(insideWorkers))]);
  await removeOld(new Set(outputs.flat().map(({ path }) => path)));
  return outputs.flat().filter(({ path }) => !path.endsWith('.map'));
}

/** Writes the licences of the bundled packages, which require it. */
async function writeNotices(inputs) {
  const text = notices(inputs, root);
  const path = 'dist/third-party-notices.txt';
  await writeFile(join(root, path), text);
  return { path, bytes: text.length };
}

async function watch() {
  await prepare();
  const names = present();
  // The editor waits for "finished", which is printed once no bundle is being built.
  const running = new Set(names);
  const report = (name) => ({
    name: 'report',
    setup(context) {
      context.onStart(() => {
        if (running.size === 0) console.log('[watch] build started');
        running.add(name);
      });
      context.onEnd((result) => {
        for (const { text, location } of result.errors) {
          console.log(`✘ [ERROR] ${text}`);
          if (location) console.log(`    ${location.file}:${location.line}:${location.column}:`);
        }
        running.delete(name);
        if (running.size === 0) console.log('[watch] build finished');
      });
    },
  });
  console.log('[watch] build started');
  for (const name of names) {
    const options = { ...bundleOptions(name), logLevel: 'silent' };
    const context = await esbuild.context({ ...options, plugins: [...(options.plugins ?? []), report(name)] });
    await context.watch();
  }
}

const present = () => Object.keys(bundles).filter((name) => existsSync(join(root, bundles[name].entry)));

async function prepare() {
  await mkdir(join(root, 'dist'), { recursive: true });
  // The repository is "type": "module"; VS Code loads CommonJS.
  await writeFile(join(root, 'dist/package.json'), '{"type":"commonjs"}\n');
}

/** Removes bundles of an older build. Runs after the build, so that `dist/` is complete at all times. */
async function removeOld(written) {
  const keep = /^dist\/(package\.json|\.types\/.*|meta\/.*)$/;
  for (const entry of await readdir(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(root, file).replaceAll('\\', '/');
    if (entry.isFile() && !keep.test(path) && !written.has(path)) await rm(file, { force: true });
  }
}

async function writeMeta(name, metafile) {
  const file = join(root, 'dist/meta', `${name.replaceAll('/', '-')}.json`);
  await mkdir(join(root, 'dist/meta'), { recursive: true });
  await writeFile(file, JSON.stringify(metafile));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flags = new Set(process.argv.slice(2));
  if (flags.has('--watch')) {
    await watch();
  } else {
    const outputs = await build({ production: flags.has('--production'), meta: flags.has('--meta') });
    for (const { path, bytes } of outputs) console.log(`${String(Math.ceil(bytes / 1024)).padStart(6)} KB  ${path}`);
  }
}
