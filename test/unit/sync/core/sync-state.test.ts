import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflict, upload } from '#support/plan.ts';
import { statusWith } from '#support/sync/status.ts';
import { statusLine } from '#features/changes/status-line.ts';
import { changeTree } from '#features/changes/change-tree.ts';
import { describeChangesNode } from '#features/changes/describe-changes.ts';
import { syncText } from '#features/folders/sync-text.ts';
import type { GuardKind, Plan, PlanGuard } from '#sync/core/planning/plan.ts';
import type { PauseReason, SyncFacts } from '#sync/core/status/sync-facts.ts';
import { type SyncState, syncState, syncStates, worstState } from '#sync/core/status/sync-state.ts';

const pauses: readonly PauseReason[] = ['gitCheckout', 'ownPull', 'gitProvider', 'signedOut', 'byUser'];
const guards: readonly GuardKind[] = [
  ...([
    'stateDamaged',
    'rootMissing',
    'rootChanged',
    'localEmptied',
    'remoteEmptied',
    'allChangedLocally',
    'allChangedRemotely',
  ] as const),
  ...(['manyDeletesRemote', 'manyDeletesLocal', 'localListingIncomplete', 'remoteListingIncomplete'] as const),
];
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const reason = fc.record({
  kind: fc.constantFrom('leftOver', 'offline', 'unavailable', 'signedOut', 'guard', 'refused', 'failed', 'queued'),
  message: fc.constant('the platform answers 503'),
});
const guard = fc
  .constantFrom(...guards)
  .map((kind): PlanGuard => ({ kind, blocks: 'both', confirmable: true, message: kind }));
const plan = fc
  .array(guard, { maxLength: 2 })
  .map((held): Plan => ({ target: 't', generation: 1, time: 0, entries: [], guards: held, unchanged: 1 }));
const facts: fc.Arbitrary<Partial<SyncFacts>> = fc
  .record({
    busy: maybe(fc.constantFrom('checking', 'pushing', 'pulling')),
    paused: fc.uniqueArray(fc.constantFrom(...pauses), { maxLength: 2 }),
    readOnly: maybe(fc.constantFrom('otherWindow', 'branch')),
    outage: maybe(reason.filter(({ kind }) => kind === 'offline' || kind === 'unavailable')),
    plan: maybe(plan),
    isCurrent: fc.boolean(),
    localChanges: fc.constantFrom([], [upload]),
    conflicts: fc.constantFrom([], [conflict]),
    frozen: fc.constantFrom([], [{ kind: 'frozen', path: 'x', side: 'local', reason: 'symlink' }]),
    outbox: fc.array(fc.record({ path: fc.constantFrom('a', 'b'), reason }), { maxLength: 2 }),
    error: maybe(fc.constant(new Error('The disk is full.'))),
    lastChecked: maybe(fc.constant(1)),
  })
  .map((all) => all as Partial<SyncFacts>);

/** The promise, written down a second time. */
function isAllWell(known: SyncFacts): boolean {
  const nothing = [known.paused, known.localChanges, known.remoteChanges, known.conflicts, known.frozen, known.outbox];
  return (
    nothing.every((list) => list.length === 0) &&
    known.plan !== undefined &&
    known.isCurrent &&
    known.plan.guards.every(({ kind }) => kind.startsWith('manyDeletes')) &&
    [known.busy, known.readOnly, known.outage, known.error].every((trouble) => trouble === undefined)
  );
}

describe('the state of a folder', () => {
  it('says “in sync” exactly where nothing is open, in both places', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const status = statusWith(some);
        const isWell = isAllWell(status);
        expect(status.state.kind === 'inSync').toBe(isWell);
        const bar = statusLine({
          deployment: 'Shop',
          branch: 'dev-ada-1',
          counts: undefined,
          sync: status.state,
          build: undefined,
          isProtected: false,
        });
        expect(/✓|in sync\b/.test(`${bar?.text} ${bar?.spoken}`)).toBe(isWell);
      }),
      { numRuns: 2000 },
    );
  });

  it('shows what holds a folder in both faces, in the same words', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const status = statusWith(some);
        const tree = changeTree([{ folderId: 'f', name: 'f', branch: 'dev-a', problem: undefined, status }]);
        const rows = tree
          .map((node) => describeChangesNode(node))
          .map(({ label, description }) => `${label} ${description}`);
        for (const state of syncStates(status)) {
          if (!['halted', 'readOnly', 'paused', 'waiting', 'failed'].includes(state.kind)) continue;
          // The row about automatic pushes has that reason, where they are shown (change-tree.test.ts).
          if (state.kind === 'paused' && state.by === 'gitProvider') continue;
          expect(rows.join('\n')).toContain(syncText(state).sentence);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('shows what matters most, of one folder and of several', () => {
    fc.assert(
      fc.property(fc.array(facts, { minLength: 1, maxLength: 4 }), (several) => {
        const states = several.map((some) => syncState(statusWith(some)));
        const order = [
          'halted',
          'readOnly',
          'paused',
          'waiting',
          'failed',
          'busy',
          'unknown',
          'changes',
          'frozen',
          'inSync',
        ];
        const rank = ({ kind }: SyncState): number => order.indexOf(kind);
        for (const some of several) {
          const ranks = syncStates(statusWith(some)).map(rank);
          expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        }
        expect(rank(worstState(states) ?? { kind: 'inSync' })).toBe(Math.min(...states.map(rank)));
      }),
      { numRuns: 300 },
    );
  });

  it('names what waits and why', () => {
    const outbox = [{ path: 'a', reason: { kind: 'unavailable', message: 'the platform answers 503' } }] as const;
    expect(syncText(statusWith({ outbox }).state)).toMatchObject({
      short: '1 waiting',
      sentence: '1 file waiting: the platform answers 503',
      command: { id: 'modelbench.sync.sendWaiting' },
    });
  });
});
