import { describe, expect, it } from 'vitest';
import { passage, textOf } from '#base/user-text.ts';
import { JOINED_TEXTS, STRAY_NAMES } from '#support/stray-characters.ts';

describe('a text for users', () => {
  it.each(Object.entries(STRAY_NAMES))('shows %s', (_, name) => {
    expect(textOf(name)).toContain('\uFFFD');
    expect(passage(name)).toContain('\uFFFD');
  });

  it.each(JOINED_TEXTS)('keeps %s as it is', (joined) => {
    expect(textOf(joined)).toBe(joined);
  });
});
