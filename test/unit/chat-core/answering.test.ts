import { describe, expect, it } from 'vitest';
import { AnsweringThreads } from '#chat-core/answering.ts';
import { type ChatThread, emptyThread } from '#chat-core/thread.ts';
import { Emitter } from '#base/event.ts';

const thread = (key: string, phase: string): ChatThread =>
  ({ ...emptyThread(key, 'scope', 0), turns: [{ id: 'turn', phase }] }) as unknown as ChatThread;

describe('the answers that can be stopped', () => {
  it('are those that run, in any thread, until they are stopped, end, or their thread is removed', () => {
    const [changed, removed] = [new Emitter<ChatThread>(), new Emitter<string>()];
    const answering = new AnsweringThreads({ onDidChangeThread: changed.event, onDidRemove: removed.event });
    const after = (change: ChatThread): readonly string[] => {
      changed.fire(change);
      return answering.keys.value;
    };
    expect(after(emptyThread('a', 'scope', 0))).toEqual([]);
    expect(after(thread('a', 'sending'))).toEqual(['a']);
    expect(after(thread('b', 'streaming'))).toEqual(['a', 'b']);
    expect(after(thread('a', 'reconnecting'))).toEqual(['a', 'b']);
    expect(after(thread('a', 'stopping'))).toEqual(['b']);
    expect(after(thread('c', 'interrupted'))).toEqual(['b']);
    removed.fire('b');
    expect(answering.keys.value).toEqual([]);
    answering.dispose();
    expect(after(thread('a', 'sending'))).toEqual([]);
  });
});
