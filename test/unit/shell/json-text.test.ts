import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonPath, keyOf, jsonPositionAt, rangeOf, strings, valueRanges } from '#shell/json-text.ts';

/** The place of `|` in a text. */
function at(marked: string): ReturnType<typeof jsonPositionAt> {
  return jsonPositionAt(marked.replace('|', ''), marked.indexOf('|'));
}

/** Every value inside a value, with its path. */
function valuesIn(value: unknown, path: JsonPath = []): readonly (readonly [JsonPath, unknown])[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item: unknown, index) => valuesIn(item, [...path, index]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) => valuesIn(item, [...path, key]))
      : [];
  return [[path, value], ...inside];
}

describe('ranges of values', () => {
  it('hold exactly the text of every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const ranges = valueRanges(text);
        const found = valuesIn(JSON.parse(text));
        expect(ranges.size).toBe(found.length);
        for (const [path, inside] of found) {
          const { start, end } = rangeOf(ranges, path);
          expect(JSON.parse(text.slice(start, end))).toEqual(inside);
          expect(jsonPositionAt(text, start).path).toEqual(path);
        }
      }),
    );
  });

  it('continue in a text that is cut off anywhere', () => {
    const text = JSON.stringify({ widgets: [{ id: 'a\\"b', config: { n: [1, null] } }] }, undefined, 2);
    for (let end = 0; end <= text.length; end += 1) {
      for (const range of valueRanges(text.slice(0, end)).values()) {
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThanOrEqual(end);
      }
    }
  });

  it('lead to the nearest value around one that is missing', () => {
    const ranges = valueRanges('{"widgets": [{"id": "a"}]}');
    expect(rangeOf(ranges, ['widgets', 0, 'position', 'x'])).toEqual(ranges.get(keyOf(['widgets', 0])));
  });
});

describe('the place of an offset', () => {
  it('is known inside strings, finished or not', () => {
    expect(at('{"a": {"measures": ["or|ders"]}}')).toEqual({
      path: ['a', 'measures', 0],
      inside: { start: 21, end: 27 },
      isName: false,
    });
    expect(at('{"a": ["x", "ord|')).toEqual({ path: ['a', 1], inside: { start: 13, end: 16 }, isName: false });
    expect(at('{"a": ["ord|\n], "b": 1}')).toMatchInlineSnapshot(`
      {
        "inside": {
          "end": 11,
          "start": 8,
        },
        "isName": false,
        "path": [
          "a",
          0,
        ],
      }
    `);
  });

  it('is known between values and in names', () => {
    expect(at('{"a": [1, |')).toEqual({ path: ['a', 1], inside: undefined, isName: false });
    expect(at('{"a": |}')).toEqual({ path: ['a'], inside: undefined, isName: false });
    expect(at('{"a": {"na|me": 1}}')).toMatchInlineSnapshot(`
      {
        "inside": {
          "end": 12,
          "start": 8,
        },
        "isName": true,
        "path": [
          "a",
        ],
      }
    `);
    expect(at('{"a": 1, |}')).toEqual({ path: [], isName: true });
    expect(at('{"a": {} |}')).toEqual({ path: ['a'], isName: false });
    expect(at('[{}, |]')).toEqual({ path: [1], isName: false });
  });

  it('does not take a comment for content', () => {
    expect(at('// "{[ \n{"a": [/* ] */ "|"]}')).toMatchInlineSnapshot(`
      {
        "inside": {
          "end": 24,
          "start": 24,
        },
        "isName": false,
        "path": [
          "a",
          0,
        ],
      }
    `);
  });
});

describe('strings of a text', () => {
  it('include values and names with their position, the finished ones alone', () => {
    const text = '{"a": ["x", 1], "b": {"c": "y"}, "d": "op';
    const found = strings(text).map(({ path, isName, range }) => [text.slice(range.start, range.end), path, isName]);
    expect(found).toEqual([
      ['a', [], true],
      ['x', ['a', 0], false],
      ['b', [], true],
      ['c', ['b'], true],
      ['y', ['b', 'c'], false],
      ['d', [], true],
    ]);
  });
});
