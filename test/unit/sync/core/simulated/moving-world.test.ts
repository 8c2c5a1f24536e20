import { describe, expect, it } from 'vitest';
import { operations } from '#support/sync/disk-faults.ts';
import { callCount, happenings, judgeMove, links } from '#support/sync/moving-world.ts';

/** Of the moments of each operation, so many, at even distances and elsewhere for each happening. */
const MOMENTS = 4;

describe('what happens to the folder while sync works loses nothing, and sync works again', () => {
  it.each(operations)('$name', async (operation) => {
    const calls = await callCount(operation);
    const wrong: string[] = [];
    for (const [number, happening] of happenings.entries()) {
      for (let moment = 0; moment < MOMENTS; moment++) {
        const at = 1 + Math.floor(((moment + number / happenings.length) * calls) / MOMENTS);
        wrong.push(...(await judgeMove(operation, happening, at)));
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Few calls lie between one comparison and the next. */
const STEP = 4;

describe('a link that takes the place of a folder is never followed, at whatever call', () => {
  it.each(operations.filter(({ name }) => ['a pull', 'a quick save'].includes(name)))('$name', async (operation) => {
    const calls = await callCount(operation);
    const wrong: string[] = [];
    for (const happening of links)
      for (let at = 1; at <= calls; at += STEP) wrong.push(...(await judgeMove(operation, happening, at)));
    expect(wrong).toEqual([]);
  });
});
