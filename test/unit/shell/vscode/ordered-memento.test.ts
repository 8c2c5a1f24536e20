import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Memento } from 'vscode';
import { describe, expect, it } from 'vitest';
import { orderedMemento } from '#shell/vscode/ordered-memento.ts';
import { root } from '../../../tools/run.ts';

/** Reads or writes the state of the extension past the order. */
const unordered = /\bglobalState\.\w/;

/** The state of an extension as VS Code keeps it: one text, which comes back after each write; `turn` is one message of the wire. */
class WholeTextMemento implements Memento {
  #values: Readonly<Record<string, unknown>> = {};
  readonly #wire: (() => void)[] = [];

  keys = (): readonly string[] => Object.keys(this.#values);
  get = <T>(key: string, byDefault?: T): T => (this.#values[key] ?? byDefault) as T;

  update = async (key: string, value: unknown): Promise<void> => {
    this.#values = { ...this.#values, [key]: value };
    const text = JSON.stringify(this.#values);
    return new Promise((resolve) => {
      this.#wire.push(() => {
        // There and back: what was written meanwhile is still on its way.
        this.#wire.push(() => (this.#values = JSON.parse(text) as Readonly<Record<string, unknown>>), resolve);
      });
    });
  };

  /** Carries one message; false: there is none. */
  async turn(): Promise<boolean> {
    const message = this.#wire.shift();
    message?.();
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve();
    return message !== undefined;
  }
}

const turns = fc.array(
  fc.record({ key: fc.constantFrom('accounts', 'window', 'links'), value: fc.nat(9), turns: fc.nat(4) }),
  { maxLength: 12 },
);

/** Writes, and returns what is read in the end beside what was written last. */
async function played(
  memento: WholeTextMemento,
  of: Pick<Memento, 'update'> & { readonly get: (key: string) => unknown },
  writes: readonly { key: string; value: number; turns: number }[],
) {
  const last = new Map<string, number>();
  const read: boolean[] = [];
  for (const { key, value, turns: count } of writes) {
    void of.update(key, value);
    last.set(key, value);
    read.push(of.get(key) === value);
    for (let turn = 0; turn < count; turn += 1) await memento.turn();
  }
  await Promise.resolve();
  while (await memento.turn());
  return { read, left: [...last].filter(([key, value]) => memento.get(key) !== value || of.get(key) !== value) };
}

describe('a memento whose values are written in order', () => {
  it('never brings an older value back, however late VS Code answers', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (writes) => {
        const memento = new WholeTextMemento();
        const { read, left } = await played(memento, orderedMemento(memento), writes);
        expect(left).toEqual([]);
        expect(read).not.toContain(false);
      }),
    );
  });

  it('is needed: VS Code’s own brings older values back', async () => {
    const lose = async (): Promise<void> =>
      fc.assert(
        fc.asyncProperty(turns, async (writes) => {
          const memento = new WholeTextMemento();
          expect((await played(memento, memento, writes)).left).toEqual([]);
        }),
        { seed: 1, numRuns: 2000 },
      );
    await expect(lose()).rejects.toThrow('Property failed');
  });

  it('is the same one for all that use the state of the extension', () => {
    const memento = new WholeTextMemento();
    expect(orderedMemento(memento)).toBe(orderedMemento(memento));
  });

  it('continues after a write that fails, and lists what is there', async () => {
    const memento = new WholeTextMemento();
    const failing: Memento = {
      keys: memento.keys,
      get: memento.get,
      update: async () => Promise.reject(new Error('full')),
    };
    const ordered = orderedMemento(failing);
    await expect(ordered.update('a', 1)).rejects.toThrow('full');
    await expect(ordered.update('b', 1)).rejects.toThrow('full');
    expect(ordered.get('a')).toBeUndefined();
    void ordered.update('c', 1).catch(() => undefined);
    void ordered.update('d', undefined).catch(() => undefined);
    expect(ordered.keys()).toEqual(['c']);
  });

  it('is what all code uses', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((path) => unordered.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
    expect("await context.globalState.update('a', 1);").toMatch(unordered);
  });
});
