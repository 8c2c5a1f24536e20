// Runs a script of this repository with the repository's own Node, and installs missing packages first.
//   node test/tools/ensure.mjs test/tools/start.ts [arguments]
// It runs before anything is installed, so it is plain JavaScript without dependencies for any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const windows = process.platform === 'win32';

/**
 * Returns the difference between a lock file and the one npm keeps inside `node_modules`, as a sentence; `undefined` if the
 * installed packages are the locked ones. An interrupted install leaves no inner lock file, so it counts as missing.
 */
export function whatIsMissing(lock, installed) {
  if (installed === undefined) return 'node_modules is missing or incomplete';
  for (const [path, wanted] of Object.entries(lock.packages ?? {})) {
    if (path === '' || wanted.link) continue;
    const found = installed.packages?.[path];
    // Optional packages of other systems are not installed.
    if (!found && (wanted.optional || wanted.devOptional)) continue;
    if (found?.version !== wanted.version) {
      return `${path} is ${found?.version ?? 'missing'}, the lock file says ${wanted.version}`;
    }
  }
  return undefined;
}

/** Returns the search path without `node_modules/.bin`, so that npm uses the machine's own Node while it replaces ours. */
export function machinePath(path) {
  const bin = join('node_modules', '.bin');
  return path
    .split(delimiter)
    .filter((folder) => !folder.replace(/[\\/]$/, '').endsWith(bin) && !folder.includes(`node-gyp-bin`))
    .join(delimiter);
}

function main() {
  const [script, ...args] = process.argv.slice(2);
  if (!script) fail('Usage: node test/tools/ensure.mjs SCRIPT [arguments]');
  if (Number(process.versions.node.split('.')[0]) < 20) {
    fail(`Node ${process.versions.node} is too old to set this repository up: use Node 20 or newer.`);
  }
  const missing = whatIsMissing(readJson('package-lock.json') ?? {}, readJson('node_modules/.package-lock.json'));
  if (missing) install(missing);
  const node = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
  if (!runs(node)) repairNode();
  if (!runs(node)) fail(`The repository's own Node does not start: ${node}. Delete node_modules and try again.`);
  runScript(node, script, args);
}

function install(reason) {
  say(`${reason}: running npm ci (about half a minute)`);
  const env = { ...process.env, PATH: machinePath(process.env.PATH ?? '') };
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 2, 2], shell: windows });
  if (status !== 0) fail(`npm ci failed${error ? `: ${error.message}` : ''}. Check the network and try again.`);
}

/**
 * Runs the install script of the package `node`: npm versions that ask before they run such scripts leave it without its binary.
 */
function repairNode() {
  const folder = join(root, 'node_modules', 'node');
  say('fetching the Node that this repository uses');
  spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: folder,
    env: { ...process.env, PATH: machinePath(process.env.PATH ?? '') },
    stdio: ['ignore', 2, 2],
  });
}

function runs(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const wanted = readJson('node_modules/node/package.json')?.version;
  return status === 0 && stdout.trim() === `v${wanted}`;
}

function runScript(node, script, args) {
  const bin = join(root, 'node_modules', '.bin');
  const child = spawn(node, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

function readJson(path) {
  const file = join(root, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function say(text) {
  console.error(`[set-up] ${text}`);
}

function fail(text) {
  console.error(`[set-up] ${text}`);
  process.exit(1);
}

if (process.argv[1]?.endsWith(`${sep}ensure.mjs`) || process.argv[1] === fileURLToPath(import.meta.url)) main();
