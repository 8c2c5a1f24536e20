import type { ChatTransport } from './ports.ts';

/** Resolves to the last question that the platform has on a thread: its `messageId` attaches to the running answer. */
export async function lastQuestion(
  transport: ChatTransport,
  chatId: string,
): Promise<{ readonly id: string; readonly prompt: string } | undefined> {
  const controller = new AbortController();
  let last: { readonly id: string; readonly prompt: string } | undefined;
  try {
    for await (const batch of await transport.read(chatId, controller.signal)) {
      for (const event of batch) {
        if (event.kind === 'message' && event.message.role === 'user') {
          last = { id: event.message.id, prompt: event.message.text };
        }
        if (event.kind === 'cutoff' && event.isStreaming) return last;
      }
    }
    return last;
  } finally {
    controller.abort();
  }
}
