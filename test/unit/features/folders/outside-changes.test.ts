import { expect, it } from 'vitest';
import { countedListeners } from '#support/counted-listeners.ts';
import { Emitter } from '#base/event.ts';
import { refreshAfterChanges } from '#features/folders/outside-changes.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { ManualClock } from '#support/manual-clock.ts';

it('looks once after changes that come together, and again after later ones', async () => {
  const clock = new ManualClock();
  const changed = new Emitter<string>();
  const looks: string[] = [];
  const ofFolder = (folderId: string): SyncSession | undefined =>
    folderId === 'file:///gone'
      ? undefined
      : ({
          sync: {
            plan: () => {
              looks.push(folderId);
              return Promise.reject(new Error('The platform cannot be reached.'));
            },
          },
        } as unknown as SyncSession);
  const { event, listeners } = countedListeners(changed.event);
  const looking = refreshAfterChanges(event, { ofFolder }, clock);
  for (let count = 0; count < 100; count++) changed.fire('file:///shop');
  changed.fire('file:///other');
  changed.fire('file:///gone');
  await clock.advance(400);
  expect(looks).toEqual([]);
  await clock.advance(200);
  expect(looks).toEqual(['file:///shop', 'file:///other']);
  changed.fire('file:///shop');
  await clock.advance(600);
  expect(looks).toHaveLength(3);
  changed.fire('file:///shop');
  looking.dispose();
  await clock.advance(600);
  expect(looks).toHaveLength(3);
  expect(listeners()).toBe(0);
});
