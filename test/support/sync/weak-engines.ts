import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import type { PlanInput } from '#sync/core/planning/plan-input.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import type { FileStore, ReplaceResult } from '#sync/core/ports.ts';
import type { EngineVariant } from './schedule.ts';
import { versionOfHash } from './versions.ts';

/** The unchanged engine, with a platform that honours `If-Match`. */
export const realEngine: EngineVariant = { name: 'the engine' };

/** The unchanged engine, with a platform that ignores `If-Match`, and without other writers during the last round trip. */
export const realWithoutConditions: EngineVariant = {
  name: 'the engine, platform without If-Match',
  rules: { honours: false, quietWrites: true },
};

/** The same two, run as the extension runs them. */
export const folderEngine: EngineVariant = { ...realEngine, name: 'what the extension runs', asFolder: true };
export const folderWithoutConditions: EngineVariant = {
  ...realWithoutConditions,
  name: 'what the extension runs, platform without If-Match',
  asFolder: true,
};

/** Variants of the engine, each with one weakness: the simulator must detect every one of them. */
export const weakEngines: readonly EngineVariant[] = [
  {
    name: 'no base: what is here is pushed, what is not here is deleted',
    planner: planning((input) => {
      const base = new Map([...input.remote.files].map(([path, { hash }]) => [path, { path, hash, size: 2 }]));
      return makePlan({ ...input, base }).entries;
    }),
  },
  { name: 'no If-Match: the platform writes whatever it is sent', rules: { honours: false, quietWrites: false } },
  {
    name: 'base before fsync',
    ports: (ports) => ({ ...ports, files: { ...ports.files, sync: () => Promise.resolve() } }),
  },
  {
    name: 'delete beats edit',
    planner: planning((input) => makePlan(input).entries.map(deleteBeatsEdit)),
  },
  {
    name: 'no re-check before overwriting, and no trash',
    ports: (ports, world) => {
      const blindly = (path: string, change: () => void): ReplaceResult => {
        const size = world.trash.length;
        change();
        world.trash.length = size;
        return { kind: 'done', backup: path };
      };
      const files: FileStore = {
        ...ports.files,
        replace: (staged) =>
          Promise.resolve(blindly(staged.path, () => world.local.set(staged.path, versionOfHash(staged.hash)))),
        remove: (path) => Promise.resolve(blindly(path, () => world.local.delete(path))),
      };
      return { ...ports, files };
    },
  },
  {
    name: 'last writer wins',
    planner: planning((input) => makePlan(input).entries.map(localWins)),
  },
  {
    name: 'writes under unsaved editors',
    ports: (ports) => ({ ...ports, editors: { dirty: () => new Set() } }),
  },
  {
    name: 'an empty file after a crash is an edit',
    planner: planning((input) => makePlan({ ...input, unclean: false }).entries),
  },
  {
    name: 'what was attempted without a clear outcome is forgotten',
    weakenState: (state) => void Object.defineProperty(state, 'attempts', { value: new Map() }),
  },
];

function planning(entriesOf: (input: PlanInput) => readonly PlanEntry[]): NonNullable<EngineVariant['planner']> {
  return function* plan(input): Generator<void, Plan> {
    // The engine takes its plan from a generator; this one has nothing to wait for.
    yield* [];
    const { target, generation, time } = input;
    return { target, generation, time, entries: entriesOf(input), guards: [], unchanged: 0 };
  };
}

function deleteBeatsEdit(entry: PlanEntry): PlanEntry {
  if (entry.kind === 'upload' && entry.reason === 'restored') {
    return { kind: 'deleteLocal', path: entry.path, expectedLocal: entry.hash, size: entry.size };
  }
  if (entry.kind === 'download' && entry.reason === 'restored') {
    return { kind: 'deleteRemote', path: entry.path, expectedRemote: entry.hash, size: 0 };
  }
  return entry;
}

function localWins(entry: PlanEntry): PlanEntry {
  if (entry.kind !== 'conflict' || entry.local === undefined) return entry;
  const { path, local, remote, size } = entry;
  return { kind: 'upload', path, reason: 'changed', hash: local, size, expectedRemote: remote };
}
