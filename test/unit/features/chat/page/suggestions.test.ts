import { describe, expect, it } from 'vitest';
import type { ViewMention } from '#features/chat/messages.ts';
import { mentionQuery, suggestionsFor, withSuggestion } from '#features/chat/page/suggestions.ts';

const count: ViewMention = { id: 'name:orders.count', kind: 'member', label: 'orders.count', detail: 'orders.yml' };
const problem: ViewMention = { id: 'problem:1', kind: 'problem', label: 'orders.yml:3', detail: 'Unknown key' };
const tasks = ['/explain', '/fix', '/measure', '/test', '/review'];
const attachments = ['@file', '@selection', '@member', '@problems'];

describe('suggestionsFor', () => {
  it.each([
    ['/', [...tasks, '/new', '/threads', '/export', '/link', '/agent']],
    ['/N', ['/new']],
    ['/e', ['/explain', '/export']],
    ['/nothing', []],
    ['a /new', []],
    ['/new thing', []],
    ['@', [...attachments, 'orders.count']],
    ['What is in @se', ['@selection', 'orders.count']],
    ['(see @orders.co', ['orders.count']],
    ['ann@example', []],
    ['@file is', []],
    ['', []],
  ])('offers for %j %j', (before, words) => {
    const mentions = mentionQuery(before) === undefined ? [] : [count];
    expect(suggestionsFor(before, mentions).map(({ word }) => word)).toEqual(words);
  });
});

describe('mentionQuery', () => {
  it.each([
    ['@', ''],
    ['How is @orders.cou', 'orders.cou'],
    ['See @model/cubes/ord-1', 'model/cubes/ord-1'],
    ['ann@example', undefined],
    ['@file is', undefined],
  ])('reads of %j %j', (before, query) => {
    expect(mentionQuery(before)).toBe(query);
  });
});

describe('withSuggestion', () => {
  const chosen = (before: string, mentions: readonly ViewMention[]): string => {
    const suggestion = suggestionsFor(before, mentions).at(-1);
    return suggestion ? withSuggestion(before, suggestion) : before;
  };

  it.each([
    ['/ne', [], ''],
    ['/fi', [], '/fix '],
    ['What is in @se', [], 'What is in '],
    ['How is @ord', [count], 'How is orders.count '],
    ['What of @orders.y', [problem], 'What of '],
  ])('makes of %j with %j %j', (before, mentions, draft) => {
    expect(chosen(before, mentions)).toBe(draft);
  });
});
