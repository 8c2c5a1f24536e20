import { plural } from '#base/words.ts';
import type { ReviewSection } from './messages.ts';

/** What a step changes of the model as queries know it. */
export interface ModelMeaning {
  /** `1 cube removed, 2 members renamed`. */
  readonly summary: string;
  /** A line each, what breaks queries first. */
  readonly lines: readonly MeaningLine[];
}

/** `warning`: queries, reports or other files may break. */
export interface MeaningLine {
  readonly severity: 'info' | 'warning';
  readonly text: string;
}

/** More lines than this are counted. */
const mostLines = 200;

/** The section of a review that says what the step changes of the model; `Error`: why that is not known. */
export function modelSection(meaning: ModelMeaning | Error | 'loading'): ReviewSection {
  const base = { id: 'model', title: 'What changes', lines: [] } as const;
  if (meaning === 'loading') return { ...base, summary: 'is being compared…', state: 'loading' };
  if (meaning instanceof Error) return { ...base, summary: meaning.message, state: 'unknown' };
  const { summary, lines } = meaning;
  const state = lines.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok';
  const rest = lines.length - mostLines;
  const more = rest > 0 ? [{ severity: 'info' as const, text: `and ${plural(rest, 'more change')}` }] : [];
  return { ...base, summary, state, lines: [...lines.slice(0, mostLines), ...more] };
}
