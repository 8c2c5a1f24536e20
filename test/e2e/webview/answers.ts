// Lines of a stream as the platform writes them.

/** A piece of the final answer. */
export const delta = (content: string, more = {}): object => ({
  id: 'f',
  role: 'assistant',
  content,
  isDelta: true,
  isInProcess: true,
  graphPath: ['final'],
  ...more,
});
export const cutoff = { id: '__cutoff__', state: { chatId: 'c', isStreaming: true } };
const end = { id: '__state__', state: { isStreaming: false, messages: [] } };

/** An answer in one piece. */
export const answer = (content: string): object[] => [
  cutoff,
  delta(content, { isDelta: false, isInProcess: false }),
  end,
];
