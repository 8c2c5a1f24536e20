import { plural } from '#base/words.ts';
import type { ReviewSection } from './messages.ts';

/** The changes of a step in the model, as queries see them. */
export interface ModelDiff {
  /** `1 cube removed, 2 members renamed`. */
  readonly summary: string;
  /** One line for each change; changes that break queries come first. */
  readonly lines: readonly ModelDiffLine[];
}

/** `warning`: queries, reports or other files may break. */
export interface ModelDiffLine {
  readonly severity: 'info' | 'warning';
  readonly text: string;
}

/** The most lines; further ones are only counted. */
const mostLines = 200;

/** Returns the section of a review on what the step changes in the model; an `Error` is the reason why that is unknown. */
export function modelSection(diff: ModelDiff | Error | 'loading'): ReviewSection {
  const base = { id: 'model', title: 'What changes', lines: [] } as const;
  if (diff === 'loading') return { ...base, summary: 'is being compared…', state: 'loading' };
  if (diff instanceof Error) return { ...base, summary: diff.message, state: 'unknown' };
  const { summary, lines } = diff;
  const state = lines.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok';
  const rest = lines.length - mostLines;
  const more = rest > 0 ? [{ severity: 'info' as const, text: `and ${plural(rest, 'more change')}` }] : [];
  return { ...base, summary, state, lines: [...lines.slice(0, mostLines), ...more] };
}
