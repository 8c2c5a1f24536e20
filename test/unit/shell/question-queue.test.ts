import { describe, expect, it } from 'vitest';
import { QuestionQueue } from '#shell/question-queue.ts';
import { ManualClock } from '#support/manual-clock.ts';

function scene() {
  const clock = new ManualClock();
  const queue = new QuestionQueue(clock);
  const shown: string[] = [];
  const ask = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = queue.ask(() => {
      shown.push(name);
      return promise;
    });
    return { answer, reply: resolve };
  };
  return { clock, queue, shown, ask };
}

describe('questions that the extension asks on its own', () => {
  it('are shown one after the other', async () => {
    const { shown, ask } = scene();
    const [push, scripts] = [ask('push'), ask('scripts')];
    await expect.poll(() => shown).toEqual(['push']);
    push.reply('Push Manually');
    expect(await push.answer).toBe('Push Manually');
    await expect.poll(() => shown).toEqual(['push', 'scripts']);
    scripts.reply('Do Not Run');
    expect(await scripts.answer).toBe('Do Not Run');
  });

  it('do not wait for one that VS Code has hidden, whose answer still counts', async () => {
    const { clock, shown, ask } = scene();
    const [push] = [ask('push'), ask('scripts')];
    await expect.poll(() => shown).toEqual(['push']);
    await clock.advance(14_999);
    expect(shown).toEqual(['push']);
    await clock.advance(1);
    await expect.poll(() => shown).toEqual(['push', 'scripts']);
    push.reply('Push Manually');
    expect(await push.answer).toBe('Push Manually');
  });

  it('do not wait for one that failed', async () => {
    const { queue } = scene();
    await expect(queue.ask(() => Promise.reject(new Error('no window')))).rejects.toThrow('no window');
    expect(await queue.ask(() => Promise.resolve('asked'))).toBe('asked');
  });
});
