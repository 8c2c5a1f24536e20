import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedMarkers } from '#features/chat/page/markdown/closed-markers.ts';

describe('closedMarkers', () => {
  it.each([
    ['plain text', 'plain text'],
    ['a **bold', 'a **bold**'],
    ['a **bold*', 'a **bold**'],
    ['a **bold**', 'a **bold**'],
    ['a **bold** and **mo', 'a **bold** and **mo**'],
    ['a **', 'a'],
    ['a *', 'a'],
    ['a `co', 'a `co`'],
    ['a `co`', 'a `co`'],
    ['a `**co', 'a `**co`'],
    ['a `**` b', 'a `**` b'],
    ['2 * 3', '2 * 3'],
    ['* ', '* '],
    ['- **it', '- **it**'],
    ['one **two\nthree', 'one **two\nthree'],
    ['one\n\n', 'one\n\n'],
    ['```sql\nSELECT **', '```sql\nSELECT **'],
    ['```sql\nSELECT 1\n```\n**a', '```sql\nSELECT 1\n```\n**a**'],
  ])('closes %j as %j', (text, expected) => {
    expect(closedMarkers(text)).toBe(expected);
  });

  it('leaves everything before the last line alone, and what is closed already', () => {
    const part = fc.constantFrom('a', ' ', '\n', '**', '*', '`', '```', '- ', '|');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const start = text.lastIndexOf('\n') + 1;
        expect(closedMarkers(text).slice(0, start)).toBe(text.slice(0, start));
      }),
    );
  });
});
