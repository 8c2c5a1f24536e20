import { expect, it } from 'vitest';
import { parsedJson } from '#base/json.ts';

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
