// npm run test:mcp: judges the packed server for agents with the Model Context Protocol's own inspector and conformance client, from
// the registry.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { requireConformance } from './mcp-conformance.ts';
import { root } from './run.ts';

const version = '2.12.0';
const conformanceVersion = '0.1.16';
const inspector = installed('inspector', version);
const conformance = installed('conformance', conformanceVersion);
const program = join(inspector, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

await build({ production: true });
const project = mkdtempSync(join(tmpdir(), 'modelbench-inspected-'));
try {
  mkdirSync(join(project, 'model'));
  writeFileSync(
    join(project, 'model/a.yml'),
    'cubes:\n  - name: a\n    sql_table: t\n    measures:\n      - {name: m, type: count}\n',
  );
  const { tools } = inspect('tools/list') as { readonly tools: readonly { readonly name: string }[] };
  const called = inspect('tools/call', '--tool-name', 'search', '--tool-arg', 'query=a.m');
  const { resources } = inspect('resources/list') as { readonly resources: readonly { readonly uri: string }[] };
  const file = inspect('resources/read', '--uri', 'modelbench-model:///model/a.yml');
  require(tools.length > 20 && tools.some(({ name }) => name === 'check'), 'tools/list');
  require(JSON.stringify(called).includes('"structuredContent":{"matches":[{"name":"a.m"'), 'tools/call');
  require(resources.some(({ uri }) => uri === 'modelbench-model:///model/a.yml'), 'resources/list');
  require(JSON.stringify(file).includes('sql_table: t'), 'resources/read');
  console.log(`The inspector ${version} accepts ${tools.length} tools and ${resources.length} resources.`);
  const scenarios = await requireConformance(conformance, [join(root, 'dist/cli.js'), 'mcp', '--folder', project]);
  console.log(`The conformance client ${conformanceVersion} accepts ${scenarios.join(', ')}.`);
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** Returns the folder with a package of the protocol, which is installed once. */
function installed(name: string, wanted: string): string {
  const folder = join(process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'), `mcp-${name}-${wanted}`);
  if (existsSync(join(folder, `node_modules/@modelcontextprotocol/${name}/package.json`))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, `@modelcontextprotocol/${name}@${wanted}`], { cwd: folder });
  return folder;
}

/**
 * Returns what the inspector prints for a request; it fails if a response violates the protocol or a schema, or if some clients could
 * not take a schema.
 */
function inspect(method: string, ...args: readonly string[]): unknown {
  const server = [process.execPath, join(root, 'dist/cli.js'), 'mcp', '--folder', project];
  const options = { cwd: project, encoding: 'utf8' } as const;
  const all = [program, '--cli', ...server, '--method', method, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, options);
  if (status !== 0 || stderr.includes('portability')) throw new Error(`The inspector refuses ${method}: ${stderr}`);
  return JSON.parse(stdout);
}

function require(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`The inspector has another answer to ${what} than expected.`);
}
