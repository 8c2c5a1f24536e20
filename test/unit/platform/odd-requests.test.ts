import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { samples } from '#support/api/samples.ts';
import { quickEngine } from '#support/quick-engine.ts';

/** Whatever a request holds, the platform does it or says what is wrong with it: an internal error is a bug of ours. */

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform({ engine: quickEngine(), chatDelayMs: 0 });
});
afterAll(() => platform.close());

const names = ['__proto__', 'constructor', 'main', demo.sharedBranch, demo.owner, '../..', '\u0000', 'x'.repeat(300)];
const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.constantFrom(...names),
  fc.constantFrom(null, true, 0, -1, 1e21, [], {}),
);

/** The sample of an operation with some of its parts replaced. */
interface Oddities {
  /** Yes or no for each place in turn: is it replaced? */
  readonly dice: () => boolean;
  readonly next: () => unknown;
}

function changed(given: unknown, odd: Oddities): unknown {
  if (odd.dice()) return odd.next();
  if (Array.isArray(given)) return given.map((entry) => changed(entry, odd));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, entry]) => [name, changed(entry, odd)]));
}

function requestOf(op: Operation, odd: Oddities): Request {
  const { params = {}, query = {}, body } = samples[op.id]?.request ?? {};
  const real: Readonly<Record<string, unknown>> = { deploymentId: demo.shop, accountName: demo.account };
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(odd.dice() ? odd.next() : (real[name] ?? params[name]));
    return encodeURIComponent(text.toWellFormed()) || 'x';
  });
  const url = new URL(path, 'http://platform.test');
  for (const [name, entry] of Object.entries(query)) url.searchParams.set(name, String(changed(entry, odd)));
  const scheme = op.host === 'chat' ? 'Api-Key' : 'Bearer';
  const init: RequestInit = { method: op.method, headers: { Authorization: `${scheme} ${platform.apiKey}` } };
  const text = op.body === undefined ? undefined : JSON.stringify(changed(body, odd));
  return new Request(url, text === undefined ? init : { ...init, body: text });
}

describe('a request with anything in it is never an internal error', () => {
  // What would end the deployment that the others need is left out.
  const table = operations.filter((op) => op.encoding === undefined && op.id !== 'deleteDeployment');

  it.each(table)('$id', async (op) => {
    const oddities = fc.tuple(fc.infiniteStream(fc.nat(3)), fc.infiniteStream(value));
    await fc.assert(
      fc.asyncProperty(oddities, async ([dice, values]) => {
        const odd = { dice: () => dice.next().value === 0, next: () => values.next().value };
        const response = await platform.fetch(requestOf(op, odd));
        const text = await response.text();
        expect(response.status < 500 ? '' : text).toBe('');
      }),
      { numRuns: 25, seed: 20_261_121 },
    );
  });
});
