import { describe, expect, it } from 'vitest';
import { exactJson, parsedJson } from '#base/json.ts';

it('reads JSON, and nothing from what is none', () => {
  expect([' {"a":[1]} ', 'null', '0'].map((text) => parsedJson(text))).toEqual([{ a: [1] }, null, 0]);
  expect([undefined, '', '{', '{"a":1}x', 'NaN'].map((text) => parsedJson(text))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('exactJson', () => {
  it('keeps every digit of numbers that a number does not hold', () => {
    expect(exactJson('[9007199254740993, -12345678901234567890.5, 0.1000000000000000055, 1e400]')).toEqual([
      '9007199254740993',
      '-12345678901234567890.5',
      '0.1000000000000000055',
      Infinity,
    ]);
  });

  it('reads everything else as JSON does', () => {
    const text =
      '{"a":[1,-2.5,1.50,1e3,123.45600000000002,1000000000000000000,"9007199254740993",null,true],"totalRows":2}';
    const { a, totalRows } = exactJson(text) as { readonly a: readonly unknown[]; readonly totalRows: number };
    expect(a).toEqual([1, -2.5, 1.5, 1000, 123.456_000_000_000_02, 10 ** 18, '9007199254740993', null, true]);
    expect(totalRows).toBe(2);
  });

  it.each([undefined, '', '{', '[9007199254740993'])('has no value for %s, as without exact numbers', (text) => {
    expect(exactJson(text)).toBeUndefined();
    expect(parsedJson(text)).toBeUndefined();
  });
});
