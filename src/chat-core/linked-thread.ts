import { asError } from '#base/async.ts';
import { type Result, err, ok } from '#base/result.ts';
import { fold, openFold, endReplay } from './fold.ts';
import type { ChatTransport } from './ports.ts';
import type { ChatService } from './service.ts';
import type { ChatThread } from './thread.ts';

/**
 * Opens the thread that the platform knows by this id and resolves to its key: a stored thread, or else a copy of the platform's.
 * Follows a running answer. The error is a sentence: what is missing, or why the platform does not return the thread.
 */
export async function openLinked(service: ChatService, chatId: string): Promise<Result<string, string>> {
  const state = service.target.value;
  if (state.kind === 'missing') return err(state.message);
  const known = await service.find(chatId);
  if (known !== undefined) return ok(known);
  const blank = service.create();
  try {
    const thread = await readThread(state.target.transport, { ...blank, chatId });
    service.adopt(thread);
    service.resume(thread.key);
    return ok(thread.key);
  } catch (error) {
    return err(`The thread that this link opens could not be read: ${asError(error).message}`);
  }
}

/** Reads everything that the platform has of a thread. */
async function readThread(transport: ChatTransport, blank: ChatThread): Promise<ChatThread> {
  const controller = new AbortController();
  let state = openFold(blank, '');
  let streams = false;
  try {
    for await (const batch of await transport.read(blank.chatId ?? '', controller.signal)) {
      for (const event of batch) {
        if (event.kind === 'error') throw new Error(event.message);
        streams ||= event.kind === 'cutoff' && event.isStreaming;
        state = fold(state, event);
      }
      // Everything after this is the live answer.
      if (streams) break;
    }
  } finally {
    controller.abort();
  }
  const { thread } = endReplay(state);
  const turns = thread.turns.map((turn, at) =>
    streams && at === thread.turns.length - 1 ? { ...turn, phase: 'interrupted' as const } : turn,
  );
  return { ...thread, turns, updatedAt: turns.at(-1)?.startedAt ?? thread.updatedAt };
}
