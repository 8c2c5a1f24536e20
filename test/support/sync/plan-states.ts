import type { FrozenReason, PlanEntry } from '#sync/core/planning/plan.ts';
import type { PlanInput } from '#sync/core/planning/plan-input.ts';
import { planInput } from './plan-input.ts';

export const PATH = 'model/p.yml';

const flags = [false, true];
const versions = [undefined, 'a', 'b', 'c'] as const;
const localKinds = ['ordinary', 'symlink', 'tooBig', 'unreadable', 'torn', 'empty'] as const;
const remoteKinds = ['ordinary', 'invalidName'] as const;
const listings = ['both', 'local', 'remote'] as const;

/** One state of one path: its version on each side, and everything that affects the plan. */
export interface PathState {
  readonly base: string | undefined;
  readonly local: string | undefined;
  readonly remote: string | undefined;
  readonly dirty: boolean;
  readonly localKind: (typeof localKinds)[number];
  readonly remoteKind: (typeof remoteKinds)[number];
  readonly ignored: boolean;
  readonly unclean: boolean;
  /** The listings that are complete. */
  readonly complete: (typeof listings)[number];
}

/** Returns every possible state. */
export function allStates(): readonly PathState[] {
  let states: Partial<PathState>[] = [{}];
  const spread = <K extends keyof PathState>(name: K, values: readonly PathState[K][]): void => {
    states = states.flatMap((state) => values.map((value) => ({ ...state, [name]: value })));
  };
  spread('base', versions);
  spread('local', versions);
  spread('remote', versions);
  spread('dirty', flags);
  spread('localKind', localKinds);
  spread('remoteKind', remoteKinds);
  spread('ignored', flags);
  spread('unclean', flags);
  spread('complete', listings);
  return states as PathState[];
}

/** Returns the planner's input for a state. */
export function inputOf(state: PathState): PlanInput {
  const one = (content: string | undefined): Record<string, string> =>
    content === undefined ? {} : { [PATH]: content };
  const input = planInput({
    base: one(state.base),
    local: isSpecial(state) ? {} : one(state.local),
    remote: state.remoteKind === 'ordinary' ? one(state.remote) : {},
    dirty: state.dirty ? [PATH] : [],
    ignored: state.ignored ? [PATH] : [],
    unclean: state.unclean,
    localComplete: state.complete !== 'remote',
    remoteComplete: state.complete !== 'local',
  });
  const frozen = (reason: string, is: boolean): Map<string, FrozenReason> =>
    new Map(is ? [[PATH, reason as FrozenReason]] : []);
  const files = new Map(input.local.files);
  const file = files.get(PATH);
  if (file && state.localKind === 'torn') files.set(PATH, { ...file, torn: true });
  if (file && state.localKind === 'empty') files.set(PATH, { ...file, size: 0 });
  return {
    ...input,
    local: { ...input.local, files, frozen: frozen(state.localKind, isSpecial(state)) },
    remote: { ...input.remote, frozen: frozen(state.remoteKind, state.remoteKind !== 'ordinary') },
  };
}

function isSpecial({ localKind }: PathState): boolean {
  return localKind === 'symlink' || localKind === 'tooBig' || localKind === 'unreadable';
}

/** A second version of docs/sync.md#the-table, as rules of which the first match decides. */
const rules: readonly (readonly [fits: (state: PathState) => boolean, kind: PlanEntry['kind'] | undefined])[] = [
  [(s) => s.remoteKind !== 'ordinary' || isSpecial(s), 'frozen'],
  // A listing does not contain ignored files: one that is in all three is not ignored.
  [(s) => s.local !== undefined && s.local === s.remote && s.local === s.base, undefined],
  [(s) => s.ignored && s.base !== undefined, 'forget'],
  [(s) => s.ignored, undefined],
  [(s) => s.local === s.remote && s.local !== undefined && s.local !== s.base, 'adopt'],
  [(s) => s.local === s.remote && s.local === undefined && s.base !== undefined && s.complete === 'both', 'forget'],
  [(s) => s.local === s.remote, undefined],
  [(s) => tornFits(s), 'conflict'],
  [(s) => changed(s) === 'both' && s.local !== undefined && s.remote !== undefined, 'conflict'],
  [(s) => s.dirty && (s.local === undefined || changed(s) === 'remote'), 'conflict'],
  [(s) => s.complete === 'remote' && s.local === undefined && changed(s) === 'local', 'frozen'],
  [(s) => s.complete === 'local' && s.remote === undefined, 'frozen'],
  [(s) => changed(s) === 'local' && s.local === undefined, 'deleteRemote'],
  [(s) => changed(s) === 'remote' && s.remote === undefined, 'deleteLocal'],
  [(s) => s.local === undefined || changed(s) === 'remote', 'download'],
  [() => true, 'upload'],
];

export function expectedKind(state: PathState): PlanEntry['kind'] | undefined {
  const ignoredThere = state.ignored && state.base === undefined && state.remote !== undefined;
  if (ignoredThere && state.remoteKind === 'ordinary' && !isSpecial(state)) return 'ignored';
  return rules.find(([fits]) => fits(state))?.[1];
}

function changed({ base, local, remote }: PathState): 'both' | 'local' | 'remote' {
  if (local !== base && remote !== base) return 'both';
  return local === base ? 'remote' : 'local';
}

function tornFits({ base, local, localKind, unclean }: PathState): boolean {
  if (base === undefined || local === undefined) return false;
  return localKind === 'torn' || (localKind === 'empty' && unclean);
}
