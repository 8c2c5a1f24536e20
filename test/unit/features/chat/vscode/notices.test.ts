import { describe, expect, it } from 'vitest';
import { type ChatTurn, emptyThread, withForeignTurn } from '#chat-core/thread.ts';
import { noticeOf } from '#features/chat/notices.ts';

const thread = { ...emptyThread('k', 'shop', 1), title: 'How many?' };
const [turn] = withForeignTurn(thread, '1700000000000-message', 'Q').turns as [ChatTurn];
const ended = (phase: ChatTurn['phase']) => ({ thread, turn: { ...turn, phase } });

describe('notices', () => {
  // @shows chat-complaint-16
  it('reports an answer that is not in view, once, unless the setting says no', () => {
    expect(noticeOf(ended('complete'), false, true)).toBe('Answer ready: How many?');
    expect(noticeOf(ended('failed'), false, true)).toBe('The answer failed: How many?');
    expect(noticeOf(ended('complete'), true, true)).toBeUndefined();
    expect(noticeOf(ended('complete'), false, false)).toBeUndefined();
  });

  it('does not report an answer that the user stopped', () => {
    expect(noticeOf(ended('stopped'), false, true)).toBeUndefined();
  });
});
