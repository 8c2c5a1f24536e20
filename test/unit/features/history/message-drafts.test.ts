import { describe, expect, it } from 'vitest';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { MemoryState } from '#support/memory-state.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada' };
const other = { ...target, branchName: 'dev-bob' };
const steps = ['commit', 'merge', 'mergeToDefault', 'deploy'] as const;

describe('what was filled in for a step', () => {
  it.each(steps)('is there again after a reload, for a %s', (step) => {
    const state = new MemoryState();
    const before = new MessageDrafts(state);
    before.keepOptions(step, target, ['removeBranch']);
    before.keep(step, target, 'Correct the totals');
    const after = new MessageDrafts(state);
    expect([after.of(step, target), after.optionsOf(step, target)]).toEqual(['Correct the totals', ['removeBranch']]);
    expect([after.of(step, other), after.optionsOf(step, other)]).toEqual([undefined, []]);
    expect(steps.filter((each) => after.of(each, target) !== undefined)).toEqual([step]);
  });

  it('is gone once the step succeeded, also after a reload', () => {
    const state = new MemoryState();
    const drafts = new MessageDrafts(state);
    const input = { value: ' Correct the totals ' };
    drafts.keep('commit', target, 'Correct the totals', input);
    drafts.forget('commit', target);
    expect([drafts.of('commit', target), new MessageDrafts(state).of('commit', target)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(input.value).toBe('');
  });

  it('lasts as long as the window where nothing can be stored', () => {
    const full = { get: () => undefined, set: async () => Promise.reject(new Error('The disk is full.')) };
    const drafts = new MessageDrafts(full);
    drafts.keep('commit', target, 'Correct the totals');
    expect(drafts.of('commit', target)).toBe('Correct the totals');
  });

  it.each([undefined, null, 'text', 7, {}, { message: 7 }, { message: 'x', options: 'all' }])(
    'ignores what another version stored: %j',
    (stored) => {
      const drafts = new MessageDrafts({ get: () => stored, set: async () => Promise.resolve() });
      expect([drafts.of('commit', target), drafts.optionsOf('commit', target)]).toEqual([undefined, []]);
    },
  );
});
