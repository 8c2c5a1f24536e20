// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/preact';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { message, show, snapshot, turn } from './chat-stage.tsx';

afterEach(cleanup);

/** The level and text of each heading of the page, in order, as screen readers list them. */
function headings(text: string): readonly (readonly [number, string | null])[] {
  show(snapshot([turn([message({ text })]), turn([message({ text })], { id: '1700000000001-message' })]));
  const own = (tag: string): number => Number(/^H(\d)$/.exec(tag)?.[1]);
  return screen
    .getAllByRole('heading')
    .map((each) => [Number(each.getAttribute('aria-level') ?? own(each.tagName)), each.textContent] as const);
}

describe('the headings of the chat', () => {
  it.each([
    ['### Sales\n\ntext\n\n#### Details\n\n### More', [3, 4, 3]],
    ['# Sales\n\n### Details\n\n## More\n\n###### Notes', [3, 4, 4, 5]],
    ['#### First\n\n# Second\n\n## Third', [3, 3, 4]],
    ['# Sales\n\n> ### Quoted\n\n- ## In a list\n\n# End', [3, 4, 4, 3]],
  ])('leave out no level in %j', (text, levels) => {
    const all = headings(text);
    const [title, ...turns] = all.map(([level]) => level);
    expect(title).toBe(1);
    expect(turns).toEqual([2, ...levels, 2, ...levels]);
  });

  it('leave out no level, however an agent nests them', () => {
    const line = fc.tuple(fc.constantFrom('', '> ', '- '), fc.integer({ min: 1, max: 6 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.map(([before, marks]) => `${before}${'#'.repeat(marks)} x`).join('\n\n');
        const levels = headings(text).map(([level]) => level);
        cleanup();
        for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });
});
