import { describe, expect, it } from 'vitest';
import { KeptForNext } from '../../tools/kept-for-next.ts';

/** Counts what is opened and closed; `use` notes what each test got. */
function counted() {
  const log: string[] = [];
  let count = 0;
  const kept = new KeptForNext(async () => {
    const name = `window ${(count += 1)}`;
    log.push(`open ${name}`);
    return { name, close: async () => void log.push(`close ${name}`) };
  });
  const places = ['first', 'second', 'third', 'fourth'];
  const play = async (title: string, body: () => Promise<void> = async () => undefined): Promise<void> =>
    kept.use(places.indexOf(title), async ({ name }, isNew) => {
      log.push(`${title} in ${isNew ? 'new' : 'used'} ${name}`);
      await body();
    });
  return { log, kept, play };
}

describe('what tests use one after the other', () => {
  it('is opened once and closed at the end', async () => {
    const { log, kept, play } = counted();
    await play('first');
    await play('second');
    await kept.close();
    expect(log).toEqual(['open window 1', 'first in new window 1', 'second in used window 1', 'close window 1']);
  });

  it('is closed and opened again after a test that failed', async () => {
    const { log, kept, play } = counted();
    await play('first');
    await expect(play('second', async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await play('third');
    await play('fourth');
    await kept.close();
    expect(log.slice(2)).toEqual([
      'second in used window 1',
      'close window 1',
      'open window 2',
      'third in new window 2',
      // It lacks what the second one would have left there.
      'close window 2',
      'open window 3',
      'fourth in new window 3',
      'close window 3',
    ]);
  });

  it('is opened again for one whose former ones were left out', async () => {
    const { log, kept, play } = counted();
    await play('first');
    await play('third');
    await kept.close();
    expect(log.slice(2)).toEqual(['close window 1', 'open window 2', 'third in new window 2', 'close window 2']);
  });

  it('is closed and opened again while a test that was given up still waits', async () => {
    const { log, kept, play } = counted();
    void play('first', async () => new Promise(() => undefined));
    await expect.poll(() => log).toHaveLength(2);
    await play('second');
    await kept.close();
    expect(log.slice(2)).toEqual(['close window 1', 'open window 2', 'second in new window 2', 'close window 2']);
  });

  it('is opened again for the next test where it could not be opened', async () => {
    let attempts = 0;
    const kept = new KeptForNext(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('no browser');
      return { close: async () => undefined };
    });
    const used: boolean[] = [];
    await expect(kept.use(0, async () => undefined)).rejects.toThrow('no browser');
    await kept.use(0, async (_, isNew) => void used.push(isNew));
    expect(used).toEqual([true]);
  });
});
