import { describe, expect, it } from 'vitest';
import { parseChatLine } from '#api/streams/chat-messages.ts';

describe('parseChatLine', () => {
  it.each([
    [
      { id: '__cutoff__', role: 'assistant', state: { chatId: 'c1', isStreaming: true }, sort: 0 },
      { kind: 'cutoff', chatId: 'c1', isStreaming: true },
    ],
    [
      { id: '__cutoff__', state: { chatId: 'c1', suspended: { messageId: 'm' } } },
      { kind: 'cutoff', chatId: 'c1', isStreaming: false },
    ],
    [{ id: '__aborted__', code: 'chat_aborted' }, { kind: 'aborted' }],
    [
      { id: '__suspended__', messageId: '1700000000000-message' },
      { kind: 'suspended', messageId: '1700000000000-message' },
    ],
    [
      { id: '__usage__', inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      { kind: 'usage', usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } },
    ],
    [
      { id: '__usage__', usage: { totalTokens: 7 } },
      { kind: 'usage', usage: { totalTokens: 7 } },
    ],
    [{ error: 'out of memory' }, { kind: 'error', message: 'out of memory' }],
    [
      { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Invalid API key' } },
      { kind: 'error', code: -32001, message: 'Invalid API key' },
    ],
    [
      { jsonrpc: '2.0', id: 'call-1', error: { code: null, message: 'Invalid API key', data: {} } },
      { kind: 'error', code: undefined, message: 'Invalid API key' },
    ],
    [
      { error: { code: 401 } },
      { kind: 'error', code: 401, message: 'The platform reported an error without a message.' },
    ],
    [{ error: '  ' }, { kind: 'error', message: 'The platform reported an error without a message.' }],
    [{ error: { message: 7 } }, { kind: 'error', message: 'The platform reported an error without a message.' }],
    [{ error: true }, { kind: 'error', message: 'The platform reported an error without a message.' }],
    [{ error: null }, { kind: 'ignored', what: 'a line without id' }],
    [{ error: false }, { kind: 'ignored', what: 'a line without id' }],
    [
      { id: '__later__', role: 'assistant' },
      { kind: 'ignored', what: '__later__' },
    ],
    [{ hello: 1 }, { kind: 'ignored', what: 'a line without id' }],
    [null, { kind: 'ignored', what: 'a line that is not an object' }],
    [
      { id: 'x', role: 'system', content: 'hi' },
      { kind: 'ignored', what: 'a message without a known role' },
    ],
  ])('reads %j', (line, event) => {
    expect(parseChatLine(line)).toEqual(event);
  });

  it('reads a message and keeps what it promises when other fields are odd', () => {
    const event = parseChatLine({
      id: 'a',
      role: 'assistant',
      content: 5,
      thinking: null,
      toolCall: { name: 'serviceSqlApi', input: '{}', result: { error: 'no' } },
      graphPath: 'final',
      isDelta: true,
      isInProcess: 'yes',
      sort: 3,
      extra: true,
    });
    expect(event).toEqual({
      kind: 'message',
      message: {
        id: 'a',
        role: 'assistant',
        text: '',
        thinking: '',
        toolCall: { name: 'serviceSqlApi', input: '{}', result: '{"error":"no"}' },
        graphPath: [],
        isDelta: true,
        isInProcess: false,
        sort: 3,
      },
    });
  });

  it('reads the messages of the final state as whole ones and leaves out what is none', () => {
    const event = parseChatLine({
      id: '__state__',
      state: { isStreaming: false, messages: [{ id: 'a', role: 'assistant', content: 'x', isDelta: true }, 7, {}] },
    });
    expect(event).toMatchObject({
      kind: 'state',
      isStreaming: false,
      messages: [{ id: 'a', text: 'x', isDelta: false }],
    });
  });
});
