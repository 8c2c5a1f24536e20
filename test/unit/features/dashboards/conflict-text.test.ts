import { expect, it } from 'vitest';
import { conflictText } from '#features/dashboards/conflict-text.ts';

const conflict = (path: string, mine: unknown, theirs: unknown) => ({ path, base: undefined, mine, theirs });

it('names each place that both changed, with both values, and counts the rest', () => {
  const many = Array.from({ length: 8 }, (_, n) => conflict(`widgets[w${n}].position`, { x: n }, undefined));
  const words = conflictText([conflict('title', 'Mine', 'x'.repeat(90)), ...many, conflict('', 1, 2)]).split('\n');
  expect(words[0]).toBe(`title: mine "Mine", theirs "${'x'.repeat(58)}…`);
  expect(words[1]).toBe('widgets[w0].position: mine {"x":0}, theirs (removed)');
  expect(words.slice(-3)).toEqual(['and 2 more', '', 'All other changes from both sides are merged.']);
  expect(conflictText([conflict('', 1, 2)])).toMatch(/^The whole dashboard: mine 1, theirs 2\n/);
});
