import { describe, expect, it } from 'vitest';
import { SaveChoices, type SaveFacts } from '#features/folders/save-choice.ts';
import { MemoryState } from '#support/memory-state.ts';

const shop = 'file:///work/shop';
const facts = (more: Partial<SaveFacts> = {}): SaveFacts => ({
  folderId: shop,
  setting: undefined,
  isRisky: false,
  ...more,
});
const never = (): Promise<boolean> => Promise.reject(new Error('asked again'));

describe('whether saved files are pushed automatically', () => {
  it('is open until the user chooses; the choice is for the folder and survives a restart', async () => {
    const user = new MemoryState();
    const choices = new SaveChoices(user);
    expect([choices.of(shop, undefined), choices.isOpen(facts())]).toEqual([undefined, true]);
    await choices.choose(shop, true);
    const next = new SaveChoices(user);
    expect([next.of(shop, undefined), next.isOpen(facts())]).toEqual([true, false]);
    expect(next.isOpen(facts({ folderId: 'file:///work/other' }))).toBe(true);
    await next.choose('file:///work/other', false);
    expect([next.of(shop, undefined), next.of('file:///work/other', undefined)]).toEqual([true, false]);
  });

  it('is what a setting says, before any choice', async () => {
    const choices = new SaveChoices(new MemoryState());
    expect([choices.of(shop, false), choices.isOpen(facts({ setting: false }))]).toEqual([false, false]);
    await choices.choose(shop, true);
    expect([choices.of(shop, false), choices.of(shop, undefined)]).toEqual([false, true]);
  });

  it.each([
    // setting, choice, risky, open
    [undefined, undefined, true, true],
    [undefined, true, true, true],
    [undefined, false, true, false],
    [true, undefined, true, true],
    [true, true, true, true],
    [true, false, true, false],
    [false, true, true, false],
    [true, undefined, false, false],
    [undefined, true, false, false],
  ])('with the setting %s and the choice %s, a risk of %s: open is %s', async (setting, choice, isRisky, open) => {
    const user = new MemoryState();
    if (choice !== undefined) await new SaveChoices(user).choose(shop, choice);
    expect(new SaveChoices(user).isOpen(facts({ setting, isRisky }))).toBe(open);
  });

  it('is asked once a window, also while the question is open; a closed question is asked again by the next window', async () => {
    const user = new MemoryState();
    const choices = new SaveChoices(user);
    const { promise, resolve } = Promise.withResolvers<void>();
    const asking = choices.ask(facts(), () => promise);
    expect(await choices.ask(facts(), never)).toBeUndefined();
    resolve();
    await asking;
    expect(await choices.ask(facts(), never)).toBeUndefined();
    expect(await new SaveChoices(user).ask(facts(), () => Promise.resolve('asked'))).toBe('asked');
  });

  it('is reported when it changes, and takes a damaged memory for none', async () => {
    const user = new MemoryState();
    const choices = new SaveChoices(user);
    const seen: (boolean | undefined)[] = [];
    choices.onDidChange(() => seen.push(choices.of(shop, undefined)));
    await choices.choose(shop, false);
    user.values.set('saveSync', '[]');
    expect([seen, choices.of(shop, undefined)]).toEqual([[false], undefined]);
  });
});
