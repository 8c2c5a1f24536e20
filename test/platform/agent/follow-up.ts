import type { ThreadMessage } from '../chat/messages.ts';
import type { Plan } from './plan.ts';

type Planner = (question: string) => Promise<Plan | undefined>;

/** Questions that lean on the one before: *and by month?*, *what about France?*, *only 2025*. */
const leaning = /^\W*(?:and|what about|how about|now|only|same|also|then|by|per)\b/i;

/**
 * Plans a question, and where it leans on the one before, takes from that one what it leaves out. The earlier question is
 * planned again rather than remembered: the same words give the same plan.
 */
export async function continued(
  question: string,
  history: readonly ThreadMessage[],
  plan: Planner,
): Promise<Plan | undefined> {
  const previous = leaning.test(question) ? thread(history) : undefined;
  if (previous === undefined) return plan(question);
  const before = await plan(previous);
  const now = before && (await plan(`${previous} ${question}`));
  if (!before || !now || now.source.name !== before.source.name) return plan(question);
  const fresh = now.dimensions.filter((entry) => !before.dimensions.includes(entry));
  const changed = now.filters.map((filter) => {
    const earlier = before.filters.find(({ entry }) => entry === filter.entry);
    const values = filter.values.filter((value) => !earlier?.values.includes(value));
    return values.length > 0 ? { ...filter, values } : filter;
  });
  const isFiltered = new Set(changed.filter(({ values }) => values.length === 1).map(({ entry }) => entry));
  const dimensions = fresh.length > 0 && /\b(?:by|per)\b/i.test(question) ? fresh : now.dimensions;
  return { ...now, filters: changed, dimensions: dimensions.filter((entry) => !isFiltered.has(entry)) };
}

/** The last question that stands on its own, with the ones that leaned on it since. */
function thread(history: readonly ThreadMessage[]): string | undefined {
  const questions = history.filter((message) => message.role === 'user').map((message) => message.content);
  const start = questions.findLastIndex((question) => !leaning.test(question));
  return start === -1 ? undefined : questions.slice(start).join(' ');
}
