import { describe, expect, it } from 'vitest';
import { SaveChoices } from '#features/save-choice.ts';
import { MemoryState } from '#support/memory-state.ts';

const shop = 'file:///work/shop';
const never = (): Promise<boolean> => Promise.reject(new Error('asked again'));

describe('whether saved files go by themselves', () => {
  it('is not known before the person was asked; the answer holds for the folder and over a restart', async () => {
    const person = new MemoryState();
    const choices = new SaveChoices(person);
    expect(choices.of(shop, undefined)).toBeUndefined();
    expect(await choices.ask(shop, undefined, () => Promise.resolve(true))).toBe(true);
    expect(await choices.ask(shop, undefined, never)).toBeUndefined();
    const next = new SaveChoices(person);
    expect([next.of(shop, undefined), next.of('file:///work/other', undefined)]).toEqual([true, undefined]);
    expect(await next.ask('file:///work/other', undefined, () => Promise.resolve(false))).toBe(false);
    expect([next.of(shop, undefined), next.of('file:///work/other', undefined)]).toEqual([true, false]);
  });

  it('is what a setting says, before any answer, and then nobody is asked', async () => {
    const choices = new SaveChoices(new MemoryState());
    expect(choices.of(shop, false)).toBe(false);
    expect(await choices.ask(shop, true, never)).toBeUndefined();
    await choices.ask(shop, undefined, () => Promise.resolve(true));
    expect([choices.of(shop, false), choices.of(shop, undefined)]).toEqual([false, true]);
  });

  it('is asked once a window, also while the question waits; who closes it is asked by the next window', async () => {
    const person = new MemoryState();
    const choices = new SaveChoices(person);
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    const asking = choices.ask(shop, undefined, () => promise);
    expect(await choices.ask(shop, undefined, never)).toBeUndefined();
    resolve(undefined);
    expect(await asking).toBeUndefined();
    expect(await choices.ask(shop, undefined, never)).toBeUndefined();
    expect(await new SaveChoices(person).ask(shop, undefined, () => Promise.resolve(true))).toBe(true);
  });
});
