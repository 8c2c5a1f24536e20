import { delta } from '#support/chat/answer-lines.ts';

// Lines of a stream as the platform writes them.
export const cutoff = { id: '__cutoff__', state: { chatId: 'c', isStreaming: true } };
const end = { id: '__state__', state: { isStreaming: false, messages: [] } };

/** An answer in one piece. */
export const answer = (content: string): object[] => [
  cutoff,
  delta(content, { isDelta: false, isInProcess: false }),
  end,
];
