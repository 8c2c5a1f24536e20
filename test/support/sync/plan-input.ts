import type { BaseEntry } from '#sync/core/base.ts';
import type { PlanInput } from '#sync/core/planning/plan-input.ts';

/** Files on all sides, so that a guard about the whole folder does not hide the subject of a test. */
export const bystanders: Readonly<Record<string, string>> = {
  'model/x1.yml': 'x1',
  'model/x2.yml': 'x2',
  'model/x3.yml': 'x3',
};

export interface PlanSides {
  readonly base?: Readonly<Record<string, string>>;
  readonly local?: Readonly<Record<string, string>>;
  readonly remote?: Readonly<Record<string, string>>;
  readonly dirty?: readonly string[];
  readonly ignored?: readonly string[];
  readonly unclean?: boolean;
  readonly localComplete?: boolean;
  readonly remoteComplete?: boolean;
  readonly baseRoot?: string;
  readonly root?: string | undefined;
  /** Local paths that cannot be read. */
  readonly frozen?: readonly string[];
}

/** Returns a planner's input from path → content; the content serves as its own hash and determines the size. */
export function planInput(sides: PlanSides): PlanInput {
  const files = (record: Readonly<Record<string, string>> = {}): Map<string, BaseEntry> =>
    new Map(Object.entries(record).map(([path, hash]) => [path, { path, hash, size: hash.length }]));
  const ignored = new Set(sides.ignored);
  return {
    target: '["account","1","dev-a"]',
    generation: 1,
    time: 0,
    base: files(sides.base),
    baseRoot: sides.baseRoot,
    local: {
      files: files(sides.local),
      frozen: new Map(sides.frozen?.map((path) => [path, 'unreadable'])),
      complete: sides.localComplete ?? true,
      root: 'root' in sides ? sides.root : 'root',
    },
    remote: {
      files: files(sides.remote),
      frozen: new Map(),
      others: new Map(),
      complete: sides.remoteComplete ?? true,
    },
    dirty: new Set(sides.dirty),
    ignores: (path) => ignored.has(path),
    unclean: sides.unclean ?? false,
  };
}
