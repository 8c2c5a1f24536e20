// npm run test:mcp: judges the packed server for agents with the Model Context Protocol's own inspector, from the registry.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { root } from './run.ts';

const version = '2.12.0';
const installed = join(process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'), `mcp-inspector-${version}`);
const program = join(installed, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

if (!existsSync(program)) {
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, `@modelcontextprotocol/inspector@${version}`], { cwd: installed });
}
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
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** What the inspector prints of a request; it ends with an error where an answer breaks the protocol or a schema. */
function inspect(method: string, ...args: readonly string[]): unknown {
  const server = [process.execPath, join(root, 'dist/cli.js'), 'mcp', '--folder', project];
  const options = { cwd: project, encoding: 'utf8' } as const;
  return JSON.parse(
    execFileSync(process.execPath, [program, '--cli', ...server, '--method', method, ...args], options),
  );
}

function require(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`The inspector has another answer to ${what} than expected.`);
}
