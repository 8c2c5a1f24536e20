import { describe, expect, it } from 'vitest';
import { derived } from '#base/derived.ts';
import { type WindowRegistry, Windows } from '#features/platform/windows.ts';

const branch = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };

/** A registry in memory that several windows share. */
function sharedBoard(): WindowRegistry & { readonly entries: Map<string, unknown> } {
  const entries = new Map<string, unknown>();
  return {
    entries,
    all: () => [...entries.values()],
    put: (id, entry) => Promise.resolve(void entries.set(id, entry)),
    remove: (id) => Promise.resolve(void entries.delete(id)),
  };
}

describe('windows of one machine', () => {
  it('see which branch the others work on, and not themselves', async () => {
    const registry = sharedBoard();
    const [one, two] = ['one', 'two'].map((id) => new Windows({ id, registry, now: () => 0 }));
    const shown: number[] = [];
    derived(() => one?.on(branch).size ?? 0).onDidChange((count) => shown.push(count));
    await one?.show(branch, 'shop');
    await two?.show(branch, 'shop copy');
    one?.refresh();
    one?.refresh();
    expect([...(one?.on(branch) ?? [])]).toEqual([['dev-ada-1', ['shop copy']]]);
    expect([...(two?.on(branch) ?? [])]).toEqual([['dev-ada-1', ['shop']]]);
    expect([...(one?.on({ ...branch, deploymentId: '2' }) ?? [])]).toEqual([]);
    await Promise.resolve();
    expect(shown).toEqual([1]);
  });

  it('take one that left the branch, closed or fell silent for gone', async () => {
    const registry = sharedBoard();
    let now = 0;
    const [one, two, three] = ['one', 'two', 'three'].map((id) => new Windows({ id, registry, now: () => now }));
    const others = (): readonly string[] => [...(one?.on(branch).values() ?? [])].flat();
    await two?.show(branch, 'two');
    await three?.show(branch, 'three');
    expect(others()).toEqual(['two', 'three']);
    await two?.show(undefined, 'two');
    expect(others()).toEqual(['three']);
    now = 140_000;
    expect(others()).toEqual(['three']);
    now = 160_000;
    expect(others()).toEqual([]);
    await three?.beat();
    expect(others()).toEqual(['three']);
    three?.dispose();
    expect(others()).toEqual([]);
  });

  it('clear away after a day what a killed one left behind', async () => {
    const registry = sharedBoard();
    let now = 0;
    const [one, killed] = ['one', 'killed'].map((id) => new Windows({ id, registry, now: () => now }));
    await killed?.show(branch, 'killed');
    now = 3_600_000;
    await one?.beat();
    expect([...registry.entries.keys()]).toEqual(['killed']);
    now = 25 * 3_600_000;
    await one?.beat();
    expect([...registry.entries.keys()]).toEqual([]);
  });

  it('leave alone what another version wrote', () => {
    const registry = sharedBoard();
    registry.entries.set('old', { id: 7 });
    expect(new Windows({ id: 'one', registry, now: () => 0 }).on(branch).size).toBe(0);
  });
});
