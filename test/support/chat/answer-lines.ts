import type { Line } from './scripted-server.ts';

/** Returns a piece of the final answer, as the platform streams it. */
export const delta = (content: string, more: Partial<Line> = {}): Line => ({
  id: 'f',
  role: 'assistant',
  content,
  isDelta: true,
  isInProcess: true,
  graphPath: ['final'],
  ...more,
});
