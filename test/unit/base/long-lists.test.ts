import { expect, it } from 'vitest';
import { append, largest, smallest } from '#base/long-lists.ts';
import { lineChanges, withLineChanges } from '#base/merge-lines.ts';
import { signedJwt } from '#features/data/jwt.ts';

const many = Array.from({ length: 300_000 }, (_, at) => at);

it('lists of any length are appended and compared', () => {
  const list = [-1];
  append(list, many);
  expect([list.length, list.at(-1), largest(list), smallest(list)]).toEqual([300_001, 299_999, 299_999, -1]);
  expect([largest([]), smallest([])]).toEqual([-Infinity, Infinity]);
});

it('a text gets as many changed lines as there are', () => {
  const text = many.map((line) => `${line}\n`).join('');
  expect(withLineChanges('old\n', lineChanges('old\n', text))).toBe(text);
});

it('a token is signed for claims of any length', async () => {
  const claims = { groups: many };
  const token = await signedJwt('secret', claims, { now: 0, lifetimeMs: 1000 });
  const [, body = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject(claims);
});
