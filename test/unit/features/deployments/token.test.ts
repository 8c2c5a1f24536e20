import { describe, expect, it } from 'vitest';
import { parseLifetime, tokenExpiry } from '#features/deployments/token.ts';

describe('tokens', () => {
  it('reads when a token ends', () => {
    const token = `x.${btoa(JSON.stringify({ exp: 1_700_000_000 }))}.y`;
    expect(tokenExpiry(token)?.toISOString()).toBe('2023-11-14T22:13:20.000Z');
    expect(tokenExpiry('nonsense')).toBeUndefined();
  });

  it.each([
    ['3600', 3600],
    ['90m', 5400],
    ['24 h', 86_400],
    ['7d', 604_800],
    ['0', undefined],
    ['soon', undefined],
  ])('reads a lifetime of %s', (typed, seconds) => {
    expect(parseLifetime(typed)).toBe(seconds);
  });
});
