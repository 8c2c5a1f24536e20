import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './journey.ts';

const deployment = 1;

/** The personal dev branch of the deployment that the journey works on; the newest when there are several. */
export async function devBranch({ platform }: Stage): Promise<string> {
  const stale = platform.control.demo.staleDevBranch;
  const names = await platform.control.git(deployment, 'branch', '--list', 'dev-*', '--format=%(refname:short)');
  const own = names.split('\n').filter((name) => name.startsWith('dev-') && name !== stale);
  const last = own.at(-1);
  if (last === undefined) throw new Error('the platform has no dev branch of ours');
  return last;
}

/** A file of a branch as the platform serves it. */
export async function remoteFile({ platform }: Stage, branch: string, path: string): Promise<string | undefined> {
  return platform.control.readFile(deployment, branch, path);
}

/** A branch as the platform lists it; undefined where it has none of that name. */
export async function branchState({ platform, url }: Stage, name: string): Promise<object | undefined> {
  const response = await fetch(`${url}/build/api/v1/deployments/${deployment}/branches`, {
    headers: { Authorization: `Bearer ${platform.apiKey}` },
  });
  const { data } = (await response.json()) as { readonly data: readonly { readonly name: string }[] };
  return data.find((branch) => branch.name === name);
}

/** The message of the last commit of a branch. */
export async function lastOn({ platform }: Stage, branch: string, of: number = deployment): Promise<string> {
  return platform.control.git(of, 'log', '-1', '--format=%s', branch);
}

/** Writes a file of a dev branch as a user at another machine does. */
export async function putFile({ platform, url }: Stage, branch: string, path: string, content: string): Promise<void> {
  const response = await fetch(`${url}/build/api/v1/deployments/${deployment}/data-model/files`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${platform.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ branchName: branch, files: [{ path, content }] }),
  });
  if (!response.ok) throw new Error(`The platform answered ${response.status}: ${await response.text()}`);
}

/** The paths whose bytes differ between the opened folder and a branch, by the platform's own hashes. */
export async function differences({ platform, folder }: Stage, branch: string): Promise<readonly string[]> {
  const remote = await platform.control.hashes(deployment, branch);
  const local = localHashes(folder);
  const paths = new Set([...Object.keys(remote), ...Object.keys(local)].filter((path) => path.startsWith('model/')));
  return [...paths].filter((path) => remote[path] !== local[path]).sort();
}

/** The requests that changed files, in order, without the deployment's prefix. */
export function writes({ platform }: Stage): readonly string[] {
  return platform.control.requestLog
    .filter(({ method, path }) => method !== 'GET' && path.includes('/data-model/'))
    .map(({ method, path }) => `${method} ${path.slice(path.indexOf('data-model/'))}`);
}

function localHashes(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(join(folder, 'model'))) return {};
  const files = readdirSync(join(folder, 'model'), { recursive: true, withFileTypes: true, encoding: 'utf8' });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const path = file.slice(folder.length + 1).replaceAll('\\', '/');
        return [path, createHash('sha1').update(readFileSync(file)).digest('hex')];
      }),
  );
}
