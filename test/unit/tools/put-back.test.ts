import { expect, it } from 'vitest';
import { putBack } from '#support/put-back.ts';

it('what a test put into a shared module is gone', () => {
  const look = (): string => 'own';
  const module = {
    window: { look, size: 1 },
    shown: { texts: ['first'], last: undefined as string | undefined },
    open: look,
  };
  const restore = putBack(module);
  for (const round of [1, 2]) {
    Object.assign(module.window, { look: () => 'other', size: round, added: round });
    module.shown.texts.push('second');
    module.shown.last = 'second';
    restore();
    expect(module).toEqual({ window: { look, size: 1 }, shown: { texts: ['first'], last: undefined }, open: look });
  }
});
