import { describe, expect, it } from 'vitest';
import { suggestionsFor, withoutMark } from '#features/chat/page/suggestions.ts';

describe('suggestions', () => {
  it.each([
    ['/', ['/new', '/threads', '/export', '/link', '/agent']],
    ['/N', ['/new']],
    ['/nothing', []],
    ['a /new', []],
    ['/new thing', []],
    ['@', ['@file', '@selection', '@member', '@problems']],
    ['What is in @se', ['@selection']],
    ['ann@example', []],
    ['@file is', []],
    ['', []],
  ])('for %j are %j', (draft, words) => {
    expect(suggestionsFor(draft).map(({ word }) => word)).toEqual(words);
  });

  it.each([
    ['/ne', ''],
    ['What is in @se', 'What is in '],
    ['@', ''],
  ])('leave of %j %j', (draft, rest) => {
    expect(withoutMark(draft)).toBe(rest);
  });
});
