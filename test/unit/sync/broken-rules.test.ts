import { afterEach, describe, expect, it, vi } from 'vitest';
import { brokenRules } from '#support/sync/broken-rules.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(brokenRules)('rule: $rule', ({ story }) => {
  it('is kept by the engine', async () => {
    expect(await story(false)).toBe(true);
  });

  it('is missed by its story when the engine breaks it', async () => {
    expect(await story(true)).toBe(false);
  });
});
