import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Repository } from '../git/repository.ts';
import type { Core } from './core.ts';
import { applySwap } from './journal.ts';
import { conflict, notFound } from './refusal.ts';
import type { DeploymentRow } from './rows.ts';
import { type UpstreamName, upstreamPath } from './upstream.ts';

/** The repositories of an owner on the stand-in for GitHub: bare ones on disk. */
export async function listUpstreams(core: Core, owner: string): Promise<object[]> {
  const folder = dirname(upstreamPath(core, { owner, repo: 'any' }));
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith('.git'))
    .sort()
    .map((name) => {
      const repo = name.slice(0, -'.git'.length);
      return { id: `${owner}/${repo}`, name: repo, owner, fullName: `${owner}/${repo}`, defaultBranch: 'main' };
    });
}

/** @throws Refusal 404 */
export async function listUpstreamBranches(core: Core, name: UpstreamName): Promise<string[]> {
  const repository = new Repository(existing(core, name), { bare: true });
  return [...repository.refs().keys()].sort();
}

/**
 * Connects a deployment to a repository: its own is replaced by a clone, and the first build starts. Refused while
 * someone is in dev mode there: their work would be lost.
 */
export async function connectUpstream(
  core: Core,
  deployment: DeploymentRow,
  input: UpstreamName & { readonly branch: string },
): Promise<{ readonly branchName: string; readonly lastHash: string }> {
  const source = existing(core, input);
  const { branch } = input;
  if (!(await listUpstreamBranches(core, input)).includes(branch))
    throw notFound(`Branch "${branch}" of the repository`);
  const dev = core.db.get<{ name: string }>(
    'SELECT name FROM branches WHERE deployment_id = ? AND is_dev = 1',
    deployment.id,
  );
  if (dev !== undefined) throw conflict(`Delete the dev-mode branch "${dev.name}" first: its work would be lost.`);
  const repository = core.repository(deployment.id);
  const lastHash = await repository.exclusive(async () => {
    await repository.prepareClone(source, branch);
    await applySwap(core, deployment.id, () => {
      core.db.run('DELETE FROM branches WHERE deployment_id = ?', deployment.id);
      core.db.run(
        'INSERT INTO branches (deployment_id, name, parent, created_at) VALUES (?, ?, NULL, ?)',
        deployment.id,
        branch,
        core.now(),
      );
      core.db.run(
        "UPDATE deployments SET github = ?, deploy_branch = ?, creation_method = 'github' WHERE id = ?",
        JSON.stringify({ owner: input.owner, repo: input.repo, branch }),
        branch,
        deployment.id,
      );
    });
    return repository.head(branch);
  });
  core.builds.request(deployment.id, branch);
  return { branchName: branch, lastHash };
}

function existing(core: Core, name: UpstreamName): string {
  const plain = [name.owner, name.repo].every((part) => /^[\w-][\w.-]*$/.test(part));
  const path = upstreamPath(core, name);
  if (!plain || !existsSync(path)) throw notFound(`Repository "${name.owner}/${name.repo}"`);
  return path;
}
