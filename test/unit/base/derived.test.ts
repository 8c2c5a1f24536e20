import { describe, expect, it } from 'vitest';
import { derived } from '#base/derived.ts';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';

/** The present turn is over. */
const turn = (): Promise<void> => Promise.resolve();

describe('a derived store', () => {
  it('follows every store that it reads, without a list of them', async () => {
    const [first, last] = [new Store('Ada'), new Store('Lovelace')];
    const name = derived(() => `${first.value} ${last.value}`);
    last.set('Byron');
    await turn();
    expect(name.value).toBe('Ada Byron');
  });

  it('follows a store that it begins to read later, and leaves one that it no longer reads', async () => {
    const [isShort, short, long] = [new Store(true), new Store('A.'), new Store('Ada')];
    let times = 0;
    const name = derived(() => {
      times += 1;
      return isShort.value ? short.value : long.value;
    });
    isShort.set(false);
    await turn();
    long.set('Grace');
    await turn();
    expect(name.value).toBe('Grace');
    short.set('G.');
    await turn();
    expect(times).toBe(3);
  });

  it('follows state outside of stores whose reader calls track', async () => {
    const changed = new Emitter<void>();
    const names = new Map([['1', 'shop']]);
    const read = (id: string): string | undefined => {
      changed.track();
      return names.get(id);
    };
    const name = derived(() => read('1'));
    names.set('1', 'bank');
    changed.fire();
    await turn();
    expect(name.value).toBe('bank');
  });

  it('follows another derived store', async () => {
    const count = new Store(1);
    const doubled = derived(() => count.value * 2);
    const text = derived(() => `${doubled.value} rows`);
    count.set(2);
    await turn();
    await turn();
    expect(text.value).toBe('4 rows');
  });

  it('computes once for all changes of a turn, and fires only when the result differs', async () => {
    const [one, two] = [new Store(1), new Store(2)];
    let times = 0;
    const sum = derived(() => {
      times += 1;
      return { sum: one.value + two.value };
    });
    const fired: number[] = [];
    sum.onDidChange((value) => fired.push(value.sum));
    one.set(2);
    two.set(1);
    await turn();
    expect({ times, fired }).toEqual({ times: 2, fired: [] });
  });

  it('does not follow what listeners read while it computes', async () => {
    const [opened, unrelated] = [new Emitter<void>(), new Store(0)];
    opened.event(() => void unrelated.value);
    let times = 0;
    derived(() => {
      times += 1;
      opened.fire();
    });
    unrelated.set(1);
    await turn();
    expect(times).toBe(1);
  });

  it('can be computed again after it could not', async () => {
    const account = new Store<string | undefined>(undefined);
    const attempt = (): string => {
      if (account.value === undefined) throw new Error('signed out');
      return account.value;
    };
    expect(() => derived(attempt)).toThrow('signed out');
    account.set('ada');
    const name = derived(attempt);
    expect(name.value).toBe('ada');
  });

  it('does nothing once it is disposed', async () => {
    const count = new Store(1);
    let times = 0;
    const doubled = derived(() => {
      times += 1;
      return count.value * 2;
    });
    count.set(2);
    doubled.dispose();
    await turn();
    count.set(3);
    await turn();
    expect(times).toBe(1);
  });
});
