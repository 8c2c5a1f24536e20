import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readListing } from '#sync/core/remote/listing.ts';
import type { FrozenReason, PlanEntry } from '#sync/core/planning/plan.ts';
import type { PlanInput } from '#sync/core/planning/plan-input.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import { bystanders, planInput } from '#support/sync/plan-input.ts';
import { allStates, expectedKind, inputOf, PATH, type PathState } from '#support/sync/plan-states.ts';

const states = allStates();
const entryOf = (input: PlanInput): PlanEntry | undefined => makePlan(input).entries.find(({ path }) => path === PATH);
const kindOf = (state: PathState): PlanEntry['kind'] | undefined => entryOf(inputOf(state))?.kind;

describe('the plan of one path, in every state', () => {
  it('follows the sixteen rows', () => {
    expect(states.filter((state) => kindOf(state) !== expectedKind(state))).toEqual([]);
    console.log(`planner: ${states.length} states of one path`);
  });

  it('never overwrites or deletes what is not exactly what was agreed', () => {
    expect(states.filter((state) => !isFounded(inputOf(state)))).toEqual([]);
  });

  it('never deletes on the word of a listing that is not whole', () => {
    const deletes = (state: PathState): boolean =>
      kindOf(state) === (state.complete === 'remote' ? 'deleteRemote' : 'deleteLocal');
    expect(states.filter((state) => state.complete !== 'both' && deletes(state))).toEqual([]);
  });

  it('touches nothing under an editor with unsaved changes', () => {
    const touching = new Set<PlanEntry['kind'] | undefined>(['download', 'deleteLocal', 'deleteRemote', 'renameLocal']);
    expect(states.filter((state) => state.dirty && touching.has(kindOf(state)))).toEqual([]);
  });

  it('has a mirror: with the sides swapped, it plans the other direction', () => {
    const mirror: Partial<Record<PlanEntry['kind'], PlanEntry['kind']>> = {
      upload: 'download',
      download: 'upload',
      deleteLocal: 'deleteRemote',
      deleteRemote: 'deleteLocal',
    };
    const plain = states.filter(
      (state) =>
        !state.dirty &&
        !state.ignored &&
        state.localKind === 'ordinary' &&
        state.remoteKind === 'ordinary' &&
        state.complete === 'both',
    );
    expect(plain.length).toBeGreaterThan(100);
    const isMirrored = (state: PathState): boolean => {
      const here = kindOf(state);
      return kindOf({ ...state, local: state.remote, remote: state.local }) === (here && (mirror[here] ?? here));
    };
    expect(plain.filter((state) => !isMirrored(state))).toEqual([]);
  });
});

/** Whether an entry expects what is there, and replaces or deletes only the agreed version. */
function isFounded(input: PlanInput): boolean {
  const entry = entryOf(input);
  const [base, local, remote] = [input.base, input.local.files, input.remote.files].map((side) => side.get(PATH)?.hash);
  if (entry?.kind === 'upload') return entry.hash === local && replaces(entry.expectedRemote, remote, base);
  if (entry?.kind === 'download') return entry.hash === remote && replaces(entry.expectedLocal, local, base);
  if (entry?.kind === 'deleteRemote') return local === undefined && deletes(entry.expectedRemote, remote, base);
  if (entry?.kind === 'deleteLocal') return remote === undefined && deletes(entry.expectedLocal, local, base);
  return true;
}

type Content = string | undefined;

function replaces(expected: Content, there: Content, base: Content): boolean {
  return expected === there && (there === undefined || there === base);
}

function deletes(expected: Content, there: Content, base: Content): boolean {
  return expected === there && there === base && base !== undefined;
}

describe('the plan of many paths', () => {
  const paths = [
    'model/a.yml',
    'model/A.yml',
    'model/b',
    'model/b/c.yml',
    'model/d.yml',
    'model/e/f.yml',
    'model/é.yml',
  ];
  const side = fc.dictionary(fc.constantFrom(...paths), fc.constantFrom('1', '2', '3', '4'), { noNullPrototype: true });
  const world = fc.record({ base: side, local: side, remote: side });

  it('does not depend on the order of the listings', () => {
    fc.assert(
      fc.property(world, ({ base, local, remote }) => {
        const turned = <T>(record: Record<string, T>): Record<string, T> =>
          Object.fromEntries(Object.entries(record).reverse());
        const forward = makePlan(planInput({ base, local, remote }));
        const backward = makePlan(planInput({ base: turned(base), local: turned(local), remote: turned(remote) }));
        const byPath = (a: PlanEntry, b: PlanEntry): number => (a.path < b.path ? -1 : 1);
        expect(backward.entries.toSorted(byPath)).toEqual(forward.entries.toSorted(byPath));
      }),
      { numRuns: 3000 },
    );
  });

  it('names every path at most once, and writes no path that collides with another', () => {
    fc.assert(
      fc.property(world, (sides) => {
        const { entries } = makePlan(planInput(sides));
        const names = entries.flatMap((entry) => ('from' in entry ? [entry.path, entry.from] : [entry.path]));
        expect(new Set(names).size).toBe(names.length);
        const written = entries.filter(({ kind }) => kind === 'download').map(({ path }) => path);
        for (const path of written) {
          const twin = Object.keys(sides.local).find(
            (other) => other !== path && other.toLowerCase() === path.toLowerCase(),
          );
          expect(twin).toBeUndefined();
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('has nothing left to do once it was carried out', () => {
    fc.assert(
      fc.property(world, (sides) => {
        const once = carriedOut(sides, makePlan(planInput(sides)).entries);
        // Where the platform listed a file and a folder of one name, deleting one of them frees the other.
        const next = carriedOut(once, makePlan(planInput(once)).entries);
        const rest = makePlan(planInput(next)).entries.filter(({ kind }) => !['conflict', 'frozen'].includes(kind));
        expect(rest).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});

type Sides = {
  readonly base: Record<string, string>;
  readonly local: Record<string, string>;
  readonly remote: Record<string, string>;
};

function carriedOut(sides: Sides, entries: readonly PlanEntry[]): Sides {
  const [base, local, remote] = [{ ...sides.base }, { ...sides.local }, { ...sides.remote }];
  const everywhere = (path: string, hash: string | undefined): void => {
    for (const each of [base, local, remote]) {
      if (hash === undefined) Reflect.deleteProperty(each, path);
      else each[path] = hash;
    }
  };
  for (const entry of entries) {
    if (entry.kind === 'upload' || entry.kind === 'download' || entry.kind === 'adopt')
      everywhere(entry.path, entry.hash);
    else if (entry.kind === 'deleteLocal' || entry.kind === 'deleteRemote' || entry.kind === 'forget')
      everywhere(entry.path, undefined);
    else if (entry.kind === 'renameRemote' || entry.kind === 'renameLocal') {
      everywhere(entry.from, undefined);
      everywhere(entry.path, entry.hash);
    }
  }
  return { base, local, remote };
}

describe('renames', () => {
  it('pairs a deletion and an addition of the same bytes, each the only one', () => {
    const { entries } = makePlan(
      planInput({ base: { 'model/a.yml': '1' }, local: { 'model/b.yml': '1' }, remote: { 'model/a.yml': '1' } }),
    );
    expect(entries).toMatchObject([{ kind: 'renameRemote', from: 'model/a.yml', path: 'model/b.yml', hash: '1' }]);
  });

  it('does not guess when two files have the same bytes', () => {
    const { entries } = makePlan(
      planInput({
        base: { 'model/a.yml': '1' },
        local: { 'model/b.yml': '1', 'model/c.yml': '1' },
        remote: { 'model/a.yml': '1' },
      }),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['deleteRemote', 'upload', 'upload']);
  });

  it('renames by letter case on the platform, and here', () => {
    const [upper, lower] = [{ 'model/Orders.yml': '1' }, { 'model/orders.yml': '1' }];
    expect(makePlan(planInput({ base: upper, local: lower, remote: upper })).entries).toMatchObject([
      { kind: 'renameRemote', from: 'model/Orders.yml', path: 'model/orders.yml' },
    ]);
    expect(makePlan(planInput({ base: upper, local: upper, remote: lower })).entries).toMatchObject([
      { kind: 'renameLocal', from: 'model/Orders.yml', path: 'model/orders.yml' },
    ]);
    const changed = { 'model/orders.yml': '2' };
    expect(makePlan(planInput({ base: upper, local: upper, remote: changed })).entries).toMatchObject([
      { kind: 'renameLocal', from: 'model/Orders.yml', path: 'model/orders.yml', hash: '1', edited: { hash: '2' } },
    ]);
    expect(makePlan(planInput({ base: upper, local: changed, remote: upper })).entries).toMatchObject([
      { kind: 'renameRemote', from: 'model/Orders.yml', path: 'model/orders.yml', hash: '1', edited: { hash: '2' } },
    ]);
  });
});

describe('names and folders that do not fit', () => {
  it('freezes names that differ only in case on one side', () => {
    const { entries } = makePlan(planInput({ remote: { 'model/a.yml': '1', 'model/A.yml': '2' } }));
    expect(entries).toMatchObject([{ kind: 'frozen' }, { kind: 'frozen' }]);
  });

  it('takes a file here and a folder there as a conflict of all of them', () => {
    const base = { 'model/b/c.yml': '1' };
    const { entries } = makePlan(planInput({ base, local: { 'model/b': '2' }, remote: base }));
    expect(entries.map(({ kind, path }) => [kind, path])).toEqual([
      ['conflict', 'model/b'],
      ['conflict', 'model/b/c.yml'],
    ]);
  });

  it('freezes only the file that the platform lists with the name of its own folder', () => {
    const base = { 'model/b/c.yml': '1' };
    const remote = { 'model/b': '9', 'model/b/c.yml': '2', 'model/d.yml': '3' };
    expect(makePlan(planInput({ base, local: base, remote })).entries).toMatchObject([
      { kind: 'frozen', path: 'model/b', side: 'remote', reason: 'folderName' },
      { kind: 'download', path: 'model/b/c.yml' },
      { kind: 'download', path: 'model/d.yml' },
    ]);
  });

  it('freezes only what the platform lists below one of its own files', () => {
    const base = { 'model/b.yml': '1' };
    const remote = { ...base, 'model/b.yml/c.yml': '2' };
    expect(makePlan(planInput({ base, local: { 'model/b.yml': '7' }, remote })).entries).toMatchObject([
      { kind: 'upload', path: 'model/b.yml' },
      { kind: 'frozen', path: 'model/b.yml/c.yml', side: 'remote', reason: 'folderName' },
    ]);
  });

  it('continues syncing when the platform lists a file named like the model folder', () => {
    const listing = readListing({ files: { model: { hash: '0'.repeat(40) } } }, 'model');
    const input = planInput({ base: {}, local: { 'model/a.yml': '1' }, remote: {} });
    expect(makePlan({ ...input, remote: { ...input.remote, frozen: listing.frozen } }).entries).toMatchObject([
      { kind: 'frozen', path: 'model', side: 'remote', reason: 'folderName' },
      { kind: 'upload', path: 'model/a.yml' },
    ]);
  });

  it('leaves alone everything below a folder that is a link or cannot be read', () => {
    const base = { 'model/b/c.yml': '1' };
    const input = planInput({ base, remote: base });
    const frozen = new Map<string, FrozenReason>([['model/b', 'symlink']]);
    const { entries } = makePlan({ ...input, local: { ...input.local, frozen } });
    expect(entries).toMatchObject(
      [
        { kind: 'frozen', path: 'model/b/c.yml', reason: 'symlink' },
        { kind: 'frozen', path: 'model/b' },
      ].reverse(),
    );
  });

  it('forgets what is newly ignored and deletes it nowhere', () => {
    const both = { ...bystanders, 'model/x.yml': '1' };
    const { entries } = makePlan(planInput({ base: both, local: bystanders, remote: both, ignored: ['model/x.yml'] }));
    expect(entries).toEqual([{ kind: 'forget', path: 'model/x.yml' }]);
  });
});
