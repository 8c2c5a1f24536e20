import { describe, expect, it } from 'vitest';
import { SaveChoices, type SaveFacts } from '#features/folders/save-choice.ts';
import { MemoryState } from '#support/memory-state.ts';
import { MemoryPushSetting } from '#support/push-setting.ts';

const shop = 'file:///work/shop';
const facts = (more: Partial<SaveFacts> = {}): SaveFacts => ({ folderId: shop, isRisky: false, ...more });
const never = (): Promise<boolean> => Promise.reject(new Error('asked again'));
const choicesOf = (setting?: boolean): SaveChoices =>
  new SaveChoices(new MemoryPushSetting(setting), new MemoryState());

describe('whether saved files are pushed automatically', () => {
  it('is open until the user chooses, and the choice is a setting', async () => {
    const setting = new MemoryPushSetting();
    const choices = new SaveChoices(setting, new MemoryState());
    expect([choices.of(shop), choices.isOpen(facts())]).toEqual([undefined, true]);
    await choices.choose(true);
    expect([setting.ofUser(), choices.of(shop), choices.isOpen(facts())]).toEqual([true, true, false]);
    await choices.choose(false);
    expect([setting.ofUser(), choices.of(shop), choices.isOpen(facts())]).toEqual([false, false, false]);
  });

  it('stays off where a repository turns it off', async () => {
    const choices = new SaveChoices(new MemoryPushSetting(undefined, false), new MemoryState());
    await choices.choose(true);
    expect(choices.of(shop)).toBe(false);
  });

  it.each([
    // setting, risky, open
    [undefined, true, true],
    [undefined, false, true],
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('with the setting %s and a risk of %s: open is %s', (setting, isRisky, open) => {
    expect(choicesOf(setting).isOpen(facts({ isRisky }))).toBe(open);
  });

  it('is asked once in each window, also while the question is open; the next window asks again', async () => {
    const choices = choicesOf();
    const { promise, resolve } = Promise.withResolvers<void>();
    const asking = choices.ask(facts(), () => promise);
    expect(await choices.ask(facts(), never)).toBeUndefined();
    resolve();
    await asking;
    expect(await choices.ask(facts(), never)).toBeUndefined();
    expect(await choicesOf().ask(facts(), () => Promise.resolve('asked'))).toBe('asked');
  });

  it('is reported when it changes, also in Settings', async () => {
    const setting = new MemoryPushSetting();
    const choices = new SaveChoices(setting, new MemoryState());
    const seen: (boolean | undefined)[] = [];
    choices.onDidChange(() => seen.push(choices.of(shop)));
    await setting.set(false);
    expect(seen).toEqual([false]);
  });

  it.each([
    ['every folder was answered so', { a: true, b: true }, undefined, true],
    ['one folder was not to be pushed', { a: true, b: false }, undefined, false],
    ['nothing was answered', {}, undefined, undefined],
    ['what is kept is damaged', '[]', undefined, undefined],
    ['the user has set it since', { a: true }, false, false],
  ])('becomes a setting of earlier answers: %s', async (_when, kept, before, after) => {
    const user = new MemoryState();
    await user.set('saveSync', kept);
    const setting = new MemoryPushSetting(before);
    await new SaveChoices(setting, user).migrate();
    expect([setting.ofUser(), user.get('saveSync')]).toEqual([after, undefined]);
  });
});
