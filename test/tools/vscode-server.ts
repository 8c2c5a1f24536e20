import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { notAsLocked, type Packages } from './pinned.ts';
import { mustRun, root } from './run.ts';

/** The location of VS Code's server on this machine. */
export interface VSCodeServer {
  /** VS Code's own server: `node <serverMain> --port …`. */
  readonly serverMain: string;
  /** The wrapper with an extension installer and persistent secrets: `node <wrapper> …`. */
  readonly wrapper: string;
}

const sources = join(root, 'test/tools/vscode-server');

/**
 * Installs the pinned VS Code server into the cache folder (`MODELBENCH_CACHE`, or `.vscode-test/`) unless it is there. It is
 * built under a temporary name and then moved, so an interrupted or concurrent installation does no harm.
 */
export async function installVSCodeServer(say: (text: string) => void): Promise<VSCodeServer> {
  const cache = process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test');
  const id = createHash('sha256')
    .update(readFileSync(join(sources, 'package-lock.json')))
    .digest('hex');
  const folder = join(cache, `server-${id.slice(0, 12)}`);
  if (!existsSync(join(folder, '.complete'))) {
    say('installing VS Code (the code-server package) into the cache folder, about 20 seconds');
    mkdirSync(cache, { recursive: true });
    dropAbandoned(cache);
    const building = join(cache, `building-${process.pid}`);
    rmSync(building, { recursive: true, force: true, maxRetries: 3 });
    await build(building);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    renameSync(building, folder);
  }
  const server = join(folder, 'node_modules/code-server');
  return { serverMain: join(server, 'lib/vscode/out/server-main.js'), wrapper: join(server, 'out/node/entry.js') };
}

async function build(folder: string): Promise<void> {
  cpSync(sources, folder, { recursive: true });
  const vscode = join(folder, 'node_modules/code-server/lib/vscode');
  // Its own install script compiles native modules that VS Code runs without.
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await mustRun('npm', ['ci', ...flags], { cwd: folder });
  // These two have their own shrinkwrap, which lacks a package for another system: `npm ci` would refuse it.
  for (const cwd of [vscode, join(vscode, 'extensions')]) {
    await mustRun('npm', ['install', ...flags], { cwd });
    const odd = notAsLocked(packagesIn(join(cwd, 'npm-shrinkwrap.json')), packagesIn(join(cwd, INSTALLED)));
    if (odd.length > 0)
      throw new Error(`npm installed other packages than VS Code's shrinkwrap names: ${odd.join(', ')}`);
  }
  writeFileSync(join(folder, '.complete'), '');
}

const INSTALLED = 'node_modules/.package-lock.json';

const packagesIn = (file: string): Packages =>
  (JSON.parse(readFileSync(file, 'utf8')) as { readonly packages: Packages }).packages;

function dropAbandoned(cache: string): void {
  for (const name of readdirSync(cache)) {
    const pid = /^building-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !alive(Number(pid)))
      rmSync(join(cache, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) console.log((await installVSCodeServer((text) => console.error(text))).serverMain);
