import { isPlatformError } from '#api/errors.ts';
import { systemClock } from '#base/clock.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { buildState } from './build-state.ts';
import { fetchBuildStatus } from './gateway.ts';
import { validateBranch } from './validate-branch.ts';
import type { PlatformData } from './platform-data.ts';
import { type CheckedBuild, sentBuild } from './production-gate.ts';

/** Has the platform compile the files of a branch, which takes as long as its model is large. Never rejects. */
export type BuildCheck = (signal?: AbortSignal) => Promise<CheckedBuild>;

/** What is known of a build at once, and for `unchecked` the check that decides. */
export interface BuildReading {
  readonly build: CheckedBuild;
  readonly check?: BuildCheck;
}

/**
 * The last verdict about the files of a branch, for one step at the gate, which is read again before it is sent. It is not kept
 * longer: the files may change and change back while the platform compiles them.
 */
export class BuildChecks {
  #last: { readonly files: string; readonly verdict: CheckedBuild } | undefined;

  of(files: string): CheckedBuild | undefined {
    return this.#last?.files === files ? this.#last.verdict : undefined;
  }

  note(files: string, verdict: CheckedBuild): void {
    this.#last = { files, verdict };
  }
}

/**
 * Resolves to what is known about whether a branch with these `files` (a text that is equal exactly if the files are; `undefined`: not known) compiles. A
 * build status does not show which commit was built: right after a change it may still be that of an earlier one. So only a check
 * of the current files counts as a success, also while they are being built. Never rejects.
 */
export async function readSentBuild(
  data: PlatformData,
  target: BranchTarget,
  files: Promise<string | undefined>,
  checks: BuildChecks,
): Promise<BuildReading> {
  try {
    const { accountId, deploymentId, branchName } = target;
    const [answer, current] = await Promise.all([
      fetchBuildStatus(data.client(accountId), deploymentId, branchName),
      files,
    ]);
    const { phase, errorText } = buildState(answer, systemClock.now());
    const build = sentBuild(phase);
    if (build === 'failed') return { build: { build, ...firstLine(errorText) } };
    if (build !== 'built' && build !== 'building') return { build: { build } };
    const uncheckable = { build: build === 'built' ? 'unproven' : build } as const;
    // A verdict about files that are not known would say nothing.
    if (current === undefined) return { build: uncheckable };
    const known = checks.of(current);
    if (known) return { build: known };
    return {
      build: { build: 'unchecked' },
      check: async (signal) => {
        const verdict = (await checkedBuild(data, target, signal)) ?? uncheckable;
        if (verdict.build !== 'unchecked') checks.note(current, verdict);
        return verdict;
      },
    };
  } catch {
    return { build: { build: 'unknown' } };
  }
}

/** Resolves to the platform's verdict; `undefined` if it compiles no branch on demand. */
async function checkedBuild(
  data: PlatformData,
  target: BranchTarget,
  signal: AbortSignal | undefined,
): Promise<CheckedBuild | undefined> {
  try {
    const { valid, errors } = await validateBranch(data.client(target.accountId), target, signal);
    return valid ? { build: 'built' } : { build: 'failed', ...firstLine(errors[0]?.message) };
  } catch (error) {
    const isOffered = !isPlatformError(error, 'unsupported') && !isPlatformError(error, 'notFound');
    return isOffered ? { build: 'unchecked' } : undefined;
  }
}

function firstLine(text: string | undefined): Pick<CheckedBuild, 'buildError'> {
  const [first = ''] = (text ?? '').split('\n', 1);
  return first === '' ? {} : { buildError: first.slice(0, 200) };
}
