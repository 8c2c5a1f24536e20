import type { Line } from './scripted-server.ts';

/** A piece of the final answer, as the platform writes it. */
export const delta = (content: string, more: Partial<Line> = {}): Line => ({
  id: 'f',
  role: 'assistant',
  content,
  isDelta: true,
  isInProcess: true,
  graphPath: ['final'],
  ...more,
});
