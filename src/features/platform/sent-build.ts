import { systemClock } from '#base/clock.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { hashesOf } from './branch-hashes.ts';
import { buildState } from './build-state.ts';
import { branchKey } from './build-watch.ts';
import { fetchBuildStatus } from './gateway.ts';
import { judgedBranch } from './judged-branch.ts';
import type { PlatformData } from './platform-data.ts';
import { type GatedSituation, sentBuild } from './production-gate.ts';

type Build = Pick<GatedSituation, 'build' | 'buildError'>;

/**
 * Resolves to whether the files that a branch has now compile. A build status does not show which commit was built: right after
 * a change it may still be that of an earlier one. So only a validation of the current files counts as a success; `unproven` if
 * the platform offers none. Never rejects.
 */
export async function sentBuildOf(data: PlatformData, target: BranchTarget): Promise<Build> {
  try {
    const { accountId, deploymentId, branchName } = target;
    const answer = await fetchBuildStatus(data.client(accountId), deploymentId, branchName);
    const { phase, errorText } = buildState(answer, systemClock.now());
    const build = sentBuild(phase);
    if (build === 'built') return await validatedBuild(data, target).catch(() => ({ build: 'unproven' as const }));
    return build === 'failed' ? { build, ...firstLine(errorText) } : { build };
  } catch {
    return { build: 'unknown' };
  }
}

/** The last validation of each branch, with the files that it was about: the gate reads a step again before it is sent. */
const validations = new WeakMap<PlatformData, Map<string, { readonly files: string; readonly verdict: Build }>>();

async function validatedBuild(data: PlatformData, target: BranchTarget): Promise<Build> {
  const known = validations.get(data) ?? new Map<string, { readonly files: string; readonly verdict: Build }>();
  validations.set(data, known);
  const key = branchKey(target);
  const files = await filesOf(data, target);
  const before = known.get(key);
  if (before?.files === files) return before.verdict;
  const { valid, errors } = await judgedBranch(data.client(target.accountId), target);
  const verdict: Build = valid ? { build: 'built' } : { build: 'failed', ...firstLine(errors[0]?.message) };
  // Files that changed meanwhile may be those that were validated.
  if ((await filesOf(data, target)) === files) known.set(key, { files, verdict });
  return verdict;
}

/** Resolves to the files of a branch as a text that is equal exactly if they are. */
async function filesOf(data: PlatformData, target: BranchTarget): Promise<string> {
  const hashes = await hashesOf(data, target);
  return JSON.stringify([...hashes.keys()].sort().map((path) => [path, hashes.get(path)]));
}

function firstLine(text: string | undefined): Pick<Build, 'buildError'> {
  const [first = ''] = (text ?? '').split('\n', 1);
  return first === '' ? {} : { buildError: first.slice(0, 200) };
}
