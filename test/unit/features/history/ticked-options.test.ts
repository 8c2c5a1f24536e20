import { describe, expect, it } from 'vitest';
import { mergeStep, mergeToDefaultStep } from '#features/history/merge.ts';
import { type OnPage, openStepDesk } from '#support/step-desk.ts';

const steps = { merge: mergeStep, mergeToDefault: mergeToDefaultStep };

describe('the options of a merge', () => {
  it.each(Object.keys(steps) as (keyof typeof steps)[])('stay as they were ticked after a reload: %s', async (step) => {
    const shown: (readonly string[])[] = [];
    const tick: OnPage = async ({ source }) => {
      const options = source.document.value?.options ?? [];
      shown.push(options.flatMap(({ id, isOn }) => (isOn ? [id] : [])));
      source.input?.({ message: 'Why', options: options.slice(-1).map(({ id }) => id), typed: '' });
      return Promise.resolve();
    };
    // Each page is closed without a press, as a reload of the window closes it.
    const desk = await openStepDesk([tick, tick]);
    for (let page = 0; page < 2; page++) await steps[step](desk.ports, desk.dev);
    expect(shown).toEqual([[], [step === 'merge' ? 'deleteBranch' : 'removeBranch']]);
    expect(desk.log.filter((line) => !line.startsWith('GET'))).toEqual([]);
  });
});
