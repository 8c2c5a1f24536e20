import { describe, expect, it } from 'vitest';
import { type ChatTurn, emptyThread, foreignTurn } from '#chat-core/thread.ts';
import { noticeOf } from '#features/chat/vscode/notices.ts';

const thread = { ...emptyThread('k', 'shop', 1), title: 'How many?' };
const settled = (phase: ChatTurn['phase']) => ({
  thread,
  turn: { ...foreignTurn('1700000000000-message', 'Q'), phase },
});

describe('notices', () => {
  it('reports an answer that nobody sees, once, unless the setting says no', () => {
    expect(noticeOf(settled('complete'), false, true)).toBe('Answer ready: How many?');
    expect(noticeOf(settled('failed'), false, true)).toBe('The answer failed: How many?');
    expect(noticeOf(settled('complete'), true, true)).toBeUndefined();
    expect(noticeOf(settled('complete'), false, false)).toBeUndefined();
  });

  it('tells nobody of an answer that they stopped', () => {
    expect(noticeOf(settled('stopped'), false, true)).toBeUndefined();
  });
});
