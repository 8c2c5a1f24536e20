import { abortReason } from '#base/async.ts';
import type { ChatService } from './service.ts';
import { cellText } from '#base/cells.ts';
import { type ChatTurn, finalAnswer, isRunning } from './thread.ts';
import { readTool } from './tool-result.ts';

/** The number of rows of a query that are included with an answer. */
const MOST_ROWS = 50;

/**
 * Asks one question on a new thread and resolves to the answer with its queries and rows, as text. Aborting stops the answer on
 * the platform. Rejects with the reason if there is no answer. `onThread` gets the thread's key.
 */
export async function askOnce(
  service: ChatService,
  question: string,
  signal: AbortSignal,
  onThread: (key: string) => void = () => undefined,
): Promise<string> {
  const { key } = service.create();
  onThread(key);
  const sent = service.send(key, question);
  if (!sent.ok) throw new Error(sent.error.kind === 'missing' ? sent.error.message : 'The question could not be sent.');
  const turn = await ended(service, key, signal);
  if (turn.phase === 'complete') return answerText(turn);
  throw new Error(turn.problem?.message ?? 'The answer was stopped.');
}

function ended(service: ChatService, key: string, signal: AbortSignal): Promise<ChatTurn> {
  return new Promise((resolve, reject) => {
    const listening = service.onDidEnd(({ thread, turn }) => {
      if (thread.key !== key || isRunning(turn)) return;
      listening.dispose();
      signal.removeEventListener('abort', onAbort);
      resolve(turn);
    });
    const onAbort = (): void => {
      listening.dispose();
      void service.stop(key);
      reject(abortReason(signal));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function answerText(turn: ChatTurn): string {
  const queries = turn.messages.toArray().flatMap(({ toolCall }) => {
    const reading = toolCall && readTool(toolCall);
    return reading?.kind === 'sql' && reading.error === undefined ? [reading.result] : [];
  });
  const parts = queries.map(({ sql, columns, rows, total }) => {
    const lines = rows.slice(0, MOST_ROWS).map((row) => columns.map((_, at) => cellText(row[at]) ?? 'null').join('\t'));
    const head = `Query:\n${sql}\n\nRows (${lines.length} of ${total}):`;
    return [head, columns.map(({ name }) => name).join('\t'), ...lines].join('\n');
  });
  return [finalAnswer(turn), ...parts].join('\n\n');
}
