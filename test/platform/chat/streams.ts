import type { Event } from '#base/event.ts';
import { DisposableStore } from '#base/disposable.ts';
import { cutoffLine, stateLine, usageLine, type Line, type ThreadMessage, type Usage } from './messages.ts';
import type { Turn } from './turn.ts';

/**
 * The stream of a connection that follows a turn: what the thread holds so far as replayed history, `__cutoff__`, then live
 * lines from the current point. A connection that goes away takes nothing with it.
 */
export function followTurn(turn: Turn, history: readonly ThreadMessage[]): ReadableStream<Uint8Array> {
  return lineStream([...history, cutoffLine(turn.chatId, true)], turn);
}

/** The stream of a thread in which nothing runs: history, `__cutoff__`, `__state__` and `__usage__`. */
export function readThread(
  chatId: string,
  messages: readonly ThreadMessage[],
  isStreaming: boolean,
): ReadableStream<Uint8Array> {
  const last = messages.reduce((sort, message) => Math.max(sort, message.sort), 0);
  const lines = [...messages, cutoffLine(chatId, isStreaming)];
  // A thread that is still streaming has no final state to tell.
  if (isStreaming) return lineStream(lines, undefined);
  return lineStream([...lines, stateLine(chatId, messages, last + 1), usageLine(noUsage, last + 2)], undefined);
}

const noUsage: Usage = { models: [], llmCalls: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function lineStream(
  first: readonly (Line | ThreadMessage)[],
  live: { readonly onLine: Event<Line>; readonly onEnd: Event<undefined> } | undefined,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const subscriptions = new DisposableStore();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (line: Line | ThreadMessage): void =>
        controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      for (const line of first) send(line);
      if (!live) {
        controller.close();
        return;
      }
      subscriptions.add(live.onLine(send));
      subscriptions.add(
        live.onEnd(() => {
          subscriptions.dispose();
          controller.close();
        }),
      );
    },
    cancel: () => subscriptions.dispose(),
  });
}
