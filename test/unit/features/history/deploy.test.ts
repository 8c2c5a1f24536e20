import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deployPlan, deployRefusal, sendsWhatWasShown } from '#features/history/deploy.ts';
import { direction, type Plan, type PlanEntry } from '#sync/core/planning/plan.ts';

const plan = (...entries: readonly PlanEntry[]): Plan => ({
  target: 't',
  generation: 3,
  time: 0,
  entries,
  guards: [],
  unchanged: 0,
});
const conflict = (base: string | undefined): PlanEntry => ({
  kind: 'conflict',
  path: 'model/a.yml',
  reason: base === undefined ? 'bothAdded' : 'bothChanged',
  base,
  local: 'mine',
  remote: 'theirs',
  size: 4,
  eolOnly: false,
});
const added: PlanEntry = {
  kind: 'download',
  path: 'model/b.yml',
  reason: 'added',
  hash: 'theirs',
  size: 5,
  expectedLocal: undefined,
};

describe('a deploy', () => {
  it('is offered for deployments whose production is what was uploaded', () => {
    expect(deployRefusal({ id: '2', name: 'Marketing', deployMode: 'cli' })).toBeUndefined();
    expect(deployRefusal({ id: '1', name: 'Shop', deployMode: 'git' })).toMatch(/Merge to Default/);
  });

  it('is left to the platform where the deploy mode is unknown', () => {
    expect(deployRefusal({ id: '1', name: 'Shop' })).toBeUndefined();
    expect(deployRefusal({ id: '1', name: 'Shop', deployMode: 'push-button' })).toBeUndefined();
  });

  it('takes the folder’s version the first time, and ticks no deletion automatically', () => {
    const made = deployPlan(plan(conflict(undefined), added));
    expect(made.plan.entries).toEqual([
      { kind: 'upload', path: 'model/a.yml', reason: 'changed', hash: 'mine', size: 4, expectedRemote: 'theirs' },
      { kind: 'deleteRemote', path: 'model/b.yml', expectedRemote: 'theirs', size: 5 },
    ]);
    expect([...made.ticked]).toEqual(['model/a.yml']);
    expect(made.notes.get('model/b.yml')).toBe('only on the platform');
  });

  it('ticks nothing that someone else deployed since', () => {
    const changed: PlanEntry = { ...added, reason: 'changed', expectedLocal: 'mine' };
    const gone: PlanEntry = { kind: 'deleteLocal', path: 'model/c.yml', expectedLocal: 'mine', size: 1 };
    const made = deployPlan(plan(conflict('old'), changed, gone));
    expect(made.plan.entries.map(({ kind }) => kind)).toEqual(['upload', 'upload', 'upload']);
    expect([...made.ticked]).toEqual([]);
    expect(new Set(made.notes.values())).toEqual(new Set(['would undo what someone deployed since']));
  });

  it('ticks what was changed, renamed and deleted here', () => {
    const own: readonly PlanEntry[] = [
      { kind: 'upload', path: 'a', reason: 'changed', hash: 'h', size: 1, expectedRemote: 'o' },
      { kind: 'deleteRemote', path: 'b', expectedRemote: 'o', size: 1 },
      { kind: 'renameRemote', path: 'd', from: 'c', hash: 'h', size: 1 },
    ];
    const made = deployPlan(plan(...own));
    expect(made.plan.entries).toEqual(own);
    expect([...made.ticked]).toEqual(['a', 'b', 'd']);
  });

  it('leaves what cannot be sent, and says what is only on the platform in the plan', () => {
    const frozen: PlanEntry = { kind: 'frozen', path: 'x', side: 'local', reason: 'symlink' };
    const { plan: made, ticked, notes } = deployPlan(plan(added, { ...conflict('old'), path: 'y' }, frozen));
    expect(made.entries.at(-1)).toEqual(frozen);
    expect([notes.get('model/b.yml'), ticked.has('model/b.yml')]).toEqual(['only on the platform', false]);
  });

  it('sends what was shown, or nothing', () => {
    const own: PlanEntry = { kind: 'upload', path: 'a', reason: 'changed', hash: 'h', size: 1, expectedRemote: 'o' };
    const other: PlanEntry = { kind: 'deleteRemote', path: 'b', expectedRemote: 'o', size: 1 };
    const shown = plan(own, other);
    const chosen = new Set(['a']);
    // A later comparison of the same, and changes of what was not chosen.
    expect(sendsWhatWasShown(shown, { ...plan(own), generation: 9, time: 7 }, chosen)).toBe(true);
    expect(sendsWhatWasShown(shown, plan({ ...own, hash: 'saved since' }), chosen)).toBe(false);
    expect(sendsWhatWasShown(shown, plan({ ...own, expectedRemote: 'deployed since' }), chosen)).toBe(false);
    expect(sendsWhatWasShown(shown, plan(other), chosen)).toBe(false);
    const guard = { kind: 'rootChanged', blocks: 'both', confirmable: true, message: 'Another folder.' } as const;
    expect(sendsWhatWasShown(shown, { ...shown, guards: [guard] }, chosen)).toBe(false);
    expect(sendsWhatWasShown({ ...shown, guards: [guard] }, { ...shown, guards: [guard] }, chosen)).toBe(true);
  });

  it('only ever pushes, each effect with the version it replaces', () => {
    const hash = fc.constantFrom('x', 'y');
    const entry: fc.Arbitrary<Extract<PlanEntry, { readonly kind: 'download' | 'conflict' }>> = fc.oneof(
      fc
        .record({ reason: fc.constantFrom('added' as const, 'changed' as const), hash, local: fc.option(hash) })
        .map(({ reason, hash: remote, local }) => ({
          kind: 'download' as const,
          path: 'p',
          reason,
          hash: remote,
          size: undefined,
          expectedLocal: local ?? undefined,
        })),
      fc
        .record({ local: fc.option(hash), remote: fc.option(hash), base: fc.option(hash) })
        .map(({ local, remote, base }) => ({
          kind: 'conflict' as const,
          path: 'p',
          reason: 'bothChanged' as const,
          local: local ?? undefined,
          remote: remote ?? undefined,
          base: base ?? undefined,
          size: 1,
          eolOnly: false,
        })),
    );
    fc.assert(
      fc.property(entry, (each) => {
        const made = deployPlan(plan(each));
        const there = each.kind === 'conflict' ? each.remote : each.hash;
        const replaced = made.plan.entries.flatMap((effect) =>
          effect.kind === 'upload' ? [effect.expectedRemote] : [],
        );
        expect(made.plan.entries.map(direction)).not.toContain('pull');
        expect(replaced.filter((version) => version !== there)).toEqual([]);
        expect([...made.ticked].filter((path) => made.notes.has(path))).toEqual([]);
      }),
    );
  });
});
