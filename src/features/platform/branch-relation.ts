import * as v from 'valibot';
import { Emitter } from '#base/event.ts';
import { deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import type { Branch } from './branches.ts';
import type { StateStore } from '#shell/ports.ts';

/**
 * How a branch's commits stand to its parent's: `differs` where only that is known. What is saved but not committed is not a
 * commit (docs/platform-api.md#branches-and-dev-mode) and not counted.
 */
export type BranchRelation = 'same' | 'ahead' | 'behind' | 'diverged' | 'differs';

/** Compares the two last commits with the one that both once had; `undefined` where the platform gives none. */
export function branchRelation(
  branch: Pick<Branch, 'lastHash'>,
  parent: Pick<Branch, 'lastHash'> | undefined,
  forkPoint: string | undefined,
): BranchRelation | undefined {
  const [own, theirs] = [branch.lastHash, parent?.lastHash];
  if (own === undefined || own === '' || theirs === undefined || theirs === '') return undefined;
  if (own === theirs) return 'same';
  if (forkPoint === undefined) return 'differs';
  if (own === forkPoint) return 'behind';
  return theirs === forkPoint ? 'ahead' : 'diverged';
}

/** In words, for a row; nothing where there is nothing to say. */
export function relationText(relation: BranchRelation | undefined, parent: string | undefined): string | undefined {
  if (relation === undefined || relation === 'same' || parent === undefined) return undefined;
  const texts = {
    ahead: 'ahead of',
    behind: 'behind',
    diverged: 'diverged from',
    differs: 'differs from',
  } as const;
  return `${texts[relation]} ${parent}`;
}

const schema = v.record(v.string(), v.string());

/**
 * The last commit that a dev branch and its parent were seen to have in common: the platform gives the two heads but not
 * their history, so it is remembered when they are equal. Only this user's own branches, which are few.
 */
export class ForkPoints {
  readonly #userState: StateStore;
  readonly #changed = new Emitter<void>();

  constructor(userState: StateStore) {
    this.#userState = userState;
  }

  of(target: DeploymentTarget): ReadonlyMap<string, string> {
    this.#changed.track();
    const parsed = v.safeParse(schema, this.#userState.get(keyOf(target)));
    return new Map(parsed.success ? Object.entries(parsed.output) : []);
  }

  /** Takes note of a fresh list; branches that are gone are forgotten. */
  async note(target: DeploymentTarget, branches: readonly Branch[], mine: ReadonlySet<string>): Promise<void> {
    const before = this.of(target);
    const heads = new Map(branches.map((branch) => [branch.name, branch.lastHash]));
    const points: Record<string, string> = {};
    for (const { name, lastHash, parentBranch } of branches) {
      if (!mine.has(name)) continue;
      const equal = lastHash !== undefined && parentBranch !== undefined && heads.get(parentBranch) === lastHash;
      const point = equal ? lastHash : before.get(name);
      if (point !== undefined) points[name] = point;
    }
    const known = Object.entries(points);
    if (known.length === before.size && known.every(([name, point]) => before.get(name) === point)) return;
    await this.#userState.set(keyOf(target), points);
    this.#changed.fire();
  }
}

function keyOf(target: DeploymentTarget): string {
  return `forkPoints.${deploymentKey(target)}`;
}
