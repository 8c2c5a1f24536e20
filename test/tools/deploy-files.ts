// npm run test:deploy: compares what the platform's published command line uploads with the rules of our tests, in many odd projects.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { commandLineFiles } from '../support/deploy/command-line-files.ts';
import { makeProject, oddProject } from '../support/deploy/odd-projects.ts';
import { newFolder } from '../support/sync/test-disk.ts';
import { root } from './run.ts';

/** The package in which the command line `cubejs` has its deploy. */
const published = '@cubejs-backend/cloud';
const version = '1.7.43';
const projects = 2000;

/** The class of the package that lists a folder. */
interface Deploy {
  readonly DeployDirectory: new (options: { readonly directory: string }) => {
    readonly fileHashes: () => Promise<Readonly<Record<string, { readonly hash: string }>>>;
  };
}

const { DeployDirectory } = createRequire(join(installed(), 'package.json'))(`${published}/dist/src/deploy`) as Deploy;
const home = newFolder('published-deploy-');
let [compared, refused] = [0, 0];
try {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(oddProject, async (entries) => {
      const folder = join(home, String(++runs));
      makeProject(join(folder, 'project'), entries);
      await compare(join(folder, 'project'));
      rmSync(folder, { recursive: true, force: true });
    }),
    { numRuns: projects },
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
console.log(`${published} ${version} lists ${compared} projects as our tests do, and fails in the same ${refused}.`);

async function compare(project: string): Promise<void> {
  const theirs = await orNothing(async () => {
    const files = await new DeployDirectory({ directory: project }).fileHashes();
    return Object.fromEntries(Object.entries(files).map(([path, { hash }]) => [path, hash]));
  });
  const ours = await orNothing(() => Promise.resolve(commandLineFiles(project)));
  if (theirs) compared += 1;
  else refused += 1;
  if (!isDeepStrictEqual(theirs && sorted(theirs), ours && sorted(ours))) {
    throw new Error(`They differ: ${JSON.stringify({ theirs, ours }, undefined, 2)}`);
  }
}

function sorted(files: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Resolves to what a listing returns, or to `undefined` where it fails. */
async function orNothing<T>(list: () => Promise<T>): Promise<T | undefined> {
  try {
    return await list();
  } catch {
    return undefined;
  }
}

/** Returns the folder with the package, which is installed once. */
function installed(): string {
  const folder = join(process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'), `published-deploy-${version}`);
  if (existsSync(join(folder, 'node_modules', published, 'package.json'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, `${published}@${version}`], { cwd: folder });
  return folder;
}
