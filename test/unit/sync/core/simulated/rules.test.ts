import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '#support/sync/rules/all.ts';
import { ruleProblems } from '#support/sync/rules/page.ts';
import type { Rule, Verdict } from '#support/sync/rules/rule.ts';
import { edited, loadWeakened } from '#support/weakened-modules.ts';
import { root } from '../../../../tools/run.ts';

const STORIES = 'test/support/sync/rules/all.ts';
const page = readFileSync(join(root, 'docs/sync.md'), 'utf8');

/** The history that an engine which breaks a rule leads to. */
async function weakenedStory({ id, edits }: Rule): Promise<Verdict> {
  const weak = loadWeakened(STORIES, edits) as { readonly rules: typeof rules };
  return weak.rules.find((each) => each.id === id)?.story();
}

describe.each(rules)('the rule $id', (rule) => {
  it('holds in the engine', async () => {
    expect(await rule.story()).toBeUndefined();
  });

  it(`catches an engine that ${rule.broken}`, async () => {
    expect(await weakenedStory(rule)).toEqual(expect.any(String));
  });
});

describe('the rules of sync', () => {
  it('each have a weakened engine that a story catches', () => {
    const ids = rules.map(({ id }) => id);
    expect(ruleProblems(page, ids)).toEqual([]);
    console.log(`rules of sync: ${ids.length}`);
  });

  it.each([
    ['a rule without a weakened engine', (text: string) => `${text}\n<a id="new-rule"></a>`, 'new-rule'],
    ['a rule that the page has no more', (text: string) => text.replace('<a id="row-4"></a>', ''), 'row-4'],
    ['a rule that the page has twice', (text: string) => `${text}\n<a id="row-4"></a>`, 'row-4'],
    [
      'a row without an anchor',
      (text: string) => text.replace('| <a id="guard-root-missing"></a>', '| '),
      '| `rootMissing`',
    ],
    ['a step without an anchor', (text: string) => text.replace('1. <a id="effect-trash"></a>', '1. '), '1. Copy'],
    ['a chapter without a rule', (text: string) => `${text}\n## More\n\nWords.\n`, '“More” has no rule'],
  ])('do not pass with %s', (_, plant, words) => {
    const ids = rules.map(({ id }) => id);
    expect(ruleProblems(plant(page), ids).join('\n')).toContain(words);
  });

  it('do not outlive the words that they change', () => {
    const edit = { file: 'src/sync/core/planning/planner.ts', from: 'words that stand nowhere', to: '' };
    expect(() => edited(edit.file, [edit])).toThrow('0 times instead of once');
  });

  it('find what they change by code and never by a comment', () => {
    const file = 'src/sync/core/saves/save-sender.ts';
    const source = readFileSync(join(root, file), 'utf8');
    const [comment = ''] = /\* [A-Z][^.]+\./.exec(source) ?? [];
    expect(comment).not.toBe('');
    expect(() => edited(file, [{ file, from: comment, to: '' }])).toThrow('quotes a comment');
  });
});
