import { describe, expect, it } from 'vitest';
import { landing } from '#chat-core/proposal-landing.ts';

describe('landing', () => {
  const dev = { name: 'dev-ada', isDefault: false };
  it.each([
    [dev, dev, { kind: 'ok' }],
    [undefined, dev, { kind: 'ok' }],
    [dev, undefined, { kind: 'noDevBranch' }],
    [dev, { name: 'main', isDefault: true }, { kind: 'noDevBranch' }],
    [{ name: 'main', isDefault: true }, dev, { kind: 'otherBranch', from: 'main', to: 'dev-ada' }],
  ])('of an answer on %j while %j is active', (answered, active, expected) => {
    expect(landing(answered, active)).toEqual(expected);
  });
});
