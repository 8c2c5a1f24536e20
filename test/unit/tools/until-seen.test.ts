import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pressUntilGone, untilSeen } from '../../tools/until-seen.ts';

/** Something in a window: waits end at once, because nothing happens in this window but what the test does. */
class Shown {
  isThere: boolean;
  clicks = 0;
  /** What a click does. */
  onClick = (): void => undefined;

  constructor(isThere: boolean) {
    this.isThere = isThere;
  }

  get locator(): Locator {
    return this as unknown as Locator;
  }

  first = (): this => this;
  isVisible = async (): Promise<boolean> => Promise.resolve(this.isThere);

  waitFor = async ({ state = 'visible' }: { readonly state?: 'visible' | 'hidden' }): Promise<void> => {
    if (this.isThere !== (state === 'visible')) throw new Error('too late');
    return Promise.resolve();
  };

  click = async (): Promise<void> => {
    this.clicks += 1;
    if (!this.isThere) throw new Error('nothing to click on');
    this.onClick();
    return Promise.resolve();
  };
}

describe('untilSeen', () => {
  it('acts again when the first time was lost', async () => {
    const editor = new Shown(false);
    let acts = 0;
    await untilSeen(editor.locator, async () => Promise.resolve(void (editor.isThere = (acts += 1) === 2)));
    expect(acts).toBe(2);
  });

  it('ends with the outcome of an act that took too long, and covers what it acted on', async () => {
    const editor = new Shown(false);
    let acts = 0;
    await untilSeen(editor.locator, async () => {
      acts += 1;
      editor.isThere = true;
      return Promise.reject(new Error('too late'));
    });
    expect(acts).toBe(1);
  });

  it('does not take what was there before for the outcome of an act that failed', async () => {
    const tab = new Shown(true);
    let acts = 0;
    await untilSeen(tab.locator, async () => {
      acts += 1;
      return acts === 1 ? Promise.reject(new Error('too late')) : Promise.resolve();
    });
    expect(acts).toBe(2);
  });
});

describe('pressUntilGone', () => {
  it('ends when the button is gone after a press that took too long', async () => {
    const button = new Shown(true);
    button.onClick = () => {
      button.isThere = false;
      throw new Error('too late');
    };
    await pressUntilGone(button.locator);
    expect(button.clicks).toBe(1);
  });

  it('does not take a button that has not come yet for one that is gone', async () => {
    const button = new Shown(false);
    let looks = 0;
    button.isVisible = async () => Promise.resolve(button.isThere);
    const wait = button.waitFor;
    button.waitFor = async (options) => {
      looks += 1;
      if (looks === 2) button.isThere = true;
      return wait(options);
    };
    button.onClick = () => void (button.isThere = false);
    await pressUntilGone(button.locator);
    expect(button.clicks).toBe(1);
  });

  it('presses again when the first time was lost', async () => {
    const button = new Shown(true);
    button.onClick = () => void (button.isThere = button.clicks < 2);
    await pressUntilGone(button.locator);
    expect(button.clicks).toBe(2);
  });
});
