import { expect, it } from 'vitest';
import { SyncPauses } from '#features/folders/sync-pause.ts';
import { MemoryState } from '#support/memory-state.ts';

it('remembers which folders are paused, each on its own, whatever else was stored', async () => {
  const state = new MemoryState();
  const pauses = new SyncPauses(state);
  expect(pauses.has('f')).toBe(false);
  await pauses.set('f', true);
  await pauses.set('f', true);
  await pauses.set('g', true);
  expect([new SyncPauses(state).has('f'), pauses.has('g')]).toEqual([true, true]);
  await pauses.set('f', false);
  expect([pauses.has('f'), pauses.has('g')]).toEqual([false, true]);
  await state.set('syncPaused', { not: 'a list' });
  expect(pauses.has('g')).toBe(false);
});
