import { describe, expect, it } from 'vitest';
import { rules } from '#support/sync/rules/all.ts';
import type { Rule, Verdict } from '#support/sync/rules/rule.ts';
import { loadWeakened } from '#support/weakened-modules.ts';

/** The story of a rule, told of an engine that breaks it. */
async function weakenedStory({ id, edits }: Rule): Promise<Verdict> {
  const weak = loadWeakened('test/support/sync/rules/all.ts', edits) as { readonly rules: typeof rules };
  return weak.rules.find((each) => each.id === id)?.story();
}

describe.each(rules)('the rule $id', (rule) => {
  it('is kept by the engine', async () => {
    expect(await rule.story()).toBeUndefined();
  });

  it(`catches an engine that ${rule.broken}`, async () => {
    expect(await weakenedStory(rule)).toEqual(expect.any(String));
  });
});
