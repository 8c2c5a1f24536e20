import * as v from 'valibot';
import { Emitter } from '#base/event.ts';
import { deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import type { Branch } from './branches.ts';
import type { StateStore } from '#shell/ports.ts';

/**
 * How a branch's commits relate to its parent's; `differs` if no more is known. Saved but uncommitted changes are not commits
 * (docs/platform-api.md#branches-and-dev-mode) and do not count.
 */
export type BranchRelation = 'same' | 'ahead' | 'behind' | 'diverged' | 'differs';

/**
 * Compares the last commits of both branches with the last one they had in common; `undefined` if the platform returned no
 * commit.
 */
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

/** Describes a relation for a row; `undefined` if there is nothing to show. */
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
 * The last commit that a dev branch and its parent are known to have had in common. The platform returns the two heads but not
 * their history, so a commit is stored when the heads are equal. Only the user's own branches are stored, which are few.
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

  /** Stores the fork points of a new list and drops those of deleted branches. */
  async note(target: DeploymentTarget, branches: readonly Branch[], mine: ReadonlySet<string>): Promise<void> {
    const before = this.of(target);
    const heads = new Map(branches.map((branch) => [branch.name, branch.lastHash]));
    const points = new Map<string, string>();
    for (const { name, lastHash, parentBranch } of branches) {
      if (!mine.has(name)) continue;
      const equal = lastHash !== undefined && parentBranch !== undefined && heads.get(parentBranch) === lastHash;
      const point = equal ? lastHash : before.get(name);
      if (point !== undefined) points.set(name, point);
    }
    if (points.size === before.size && [...points].every(([name, point]) => before.get(name) === point)) return;
    await this.#userState.set(keyOf(target), Object.fromEntries(points));
    this.#changed.fire();
  }
}

function keyOf(target: DeploymentTarget): string {
  return `forkPoints.${deploymentKey(target)}`;
}
