import { describe, expect, it } from 'vitest';
import { giveUp, unlessGivenUp } from '../../tools/given-up.ts';

const forever = async (): Promise<never> => new Promise(() => undefined);

describe('what waits for windows', () => {
  it('has its own result, or its own error', async () => {
    await expect(unlessGivenUp(async () => Promise.resolve('done'))).resolves.toBe('done');
    await expect(unlessGivenUp(async () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });

  it('ends with the reason where nothing can come any more', async () => {
    const waiting = unlessGivenUp(forever);
    giveUp('The browser ended on its own.');
    await expect(waiting).rejects.toThrow('The browser ended on its own.');
  });

  it('ends for what fails while it waits, and for nothing before or after', async () => {
    giveUp('too early');
    const first = unlessGivenUp(async () => Promise.resolve(1));
    await first;
    giveUp('too late');
    await expect(unlessGivenUp(async () => Promise.resolve(2))).resolves.toBe(2);
  });

  it('is the innermost that waits', async () => {
    const outer = unlessGivenUp(async () => {
      const inner = unlessGivenUp(forever);
      giveUp('The page crashed.');
      return inner.catch((error: unknown) => String(error));
    });
    await expect(outer).resolves.toBe('Error: The page crashed.');
  });
});
