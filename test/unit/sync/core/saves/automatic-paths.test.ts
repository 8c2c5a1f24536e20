import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { automaticEntries, automaticPaths } from '#sync/core/saves/save-sync.ts';

it('reports for each saved path alone what it reports for many', () => {
  const path = fc.constantFrom('model/a.yml', 'model/A.yml', 'model/b.yml', 'model/c.yml');
  const entry: fc.Arbitrary<PlanEntry> = fc.oneof(
    path.map(
      (at) => ({ kind: 'upload', path: at, reason: 'added', hash: 'h', size: 1, expectedRemote: undefined }) as const,
    ),
    path.map((at) => ({ kind: 'deleteRemote', path: at, expectedRemote: 'h', size: 1 }) as const),
    fc.tuple(path, path).map(([from, to]) => ({ kind: 'renameRemote', from, path: to, hash: 'h', size: 1 }) as const),
  );
  fc.assert(
    fc.property(fc.array(entry), path, (entries, saved) => {
      const plan: Plan = { target: 't', generation: 1, time: 0, entries, guards: [], unchanged: 0 };
      expect(automaticPaths(plan)(saved)).toBe(automaticEntries(plan, new Set([saved])).length > 0);
    }),
  );
});
