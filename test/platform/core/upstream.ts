import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from './core.ts';
import { conflict } from './refusal.ts';
import { type DeploymentRow, json } from './rows.ts';

/** A repository on the stand-in for GitHub. */
export interface UpstreamName {
  readonly owner: string;
  readonly repo: string;
}

/** Where the stand-in for GitHub keeps a repository: a bare one on disk. */
export const upstreamPath = (core: Core, { owner, repo }: UpstreamName): string =>
  join(core.dataDir, 'github', owner, `${repo}.git`);

/** Takes what was pushed to the connected repository into a branch, where the branch can simply move forward. */
export async function receive(core: Core, deployment: DeploymentRow, branch: string): Promise<void> {
  const source = connected(core, deployment);
  if (source === undefined) return;
  const repository = core.repository(deployment.id);
  const mine = repository.head(branch);
  const theirs = await repository.fetchFrom(source, branch).catch(() => mine);
  if (theirs === mine || (await repository.isAncestor(theirs, mine))) return;
  if (!(await repository.isAncestor(mine, theirs))) {
    throw conflict(`Branch "${branch}" and the connected repository have diverged.`);
  }
  await repository.setRefs([{ branch, to: theirs, from: mine }]);
}

/** Sends a branch to the connected repository. */
export async function publish(core: Core, deployment: DeploymentRow, branch: string): Promise<void> {
  const target = connected(core, deployment);
  if (target !== undefined) await core.repository(deployment.id).pushTo(target, branch);
}

function connected(core: Core, deployment: DeploymentRow): string | undefined {
  if (deployment.github === null) return undefined;
  const { owner, repo } = json(deployment.github);
  const path = upstreamPath(core, { owner: String(owner), repo: String(repo) });
  return existsSync(path) ? path : undefined;
}
