import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { needsAnswer } from '#support/api/needs-answer.ts';
import { isPlatformError } from '#api/errors.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';
import { samples } from '#support/api/samples.ts';

/** Answers that the local platform never gives, for every operation that is answered in JSON. */

const withAnswer = operations.filter((op) => op.answerKind === 'json');
const answerOf = (op: Operation): unknown => samples[op.id]?.answer;

type Path = readonly string[];

/** Every place in a JSON value, from the outside in. */
function pathsIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => [[...at, name], ...pathsIn(entry, [...at, name])]);
}

/** A copy with another value at a place; `undefined` leaves it out. */
function replaced(value: unknown, [name = '', ...rest]: Path, by: unknown): unknown {
  const entry = rest.length === 0 ? by : replaced((value as Record<string, unknown>)[name], rest, by);
  if (Array.isArray(value)) return value.with(Number(name), entry);
  return { ...(value as object), [name]: entry };
}

/** `read`, or the place that the refusal names. */
async function outcome(op: Operation, body: unknown): Promise<string> {
  const under = new ClientUnderTest(() => json(body));
  try {
    await under.sample(op);
    return 'read';
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { kind, operation, message } = error;
    const isClear =
      kind === 'invalidResponse' && operation === op.id && / (?:is missing|is not |must be )/.test(message);
    if (!isClear) throw error;
    return error.field ?? '';
  }
}

describe.each([
  ['is missing', undefined],
  ['is null', null],
  ['is of another type', { wrong: [true] }],
])('a field that %s', (_, by) => {
  it.each(withAnswer)('$id: is done without, or named', async (op) => {
    for (const path of pathsIn(answerOf(op))) {
      const found = await outcome(op, replaced(answerOf(op), path, by));
      // What is refused is refused at this place, or where this place is needed.
      const at = path.join('.');
      const isNamed = found === 'read' || at.startsWith(found) || found.startsWith(at) || isLast(found, path);
      expect(isNamed, `${at}: ${found}`).toBe(true);
    }
  });
});

/** An envelope that is read too has its own way to the same field. */
const isLast = (found: string, path: Path): boolean => found.split('.').some((step) => path.includes(step));

// That one beyond the limit is refused is `failures.test.ts`.
describe('an answer of 10 MB', () => {
  const size = 10 * 1024 * 1024;
  const bytes = new Uint8Array(size);

  it.each(withAnswer.filter(({ method }) => method === 'GET'))('$id: is read', async (op) => {
    const text = new TextEncoder().encode(JSON.stringify(answerOf(op)));
    bytes.fill(0x20);
    bytes.set(text, size - text.length);
    const under = new ClientUnderTest(() => new Response(bytes, { headers: { 'content-type': 'application/json' } }));
    expect(await under.sample(op)).toEqual(answerOf(op) as object);
  });
});

describe('an answer that is cut', () => {
  it.each(withAnswer)('$id: is never read as a whole one', async (op) => {
    const text = JSON.stringify(answerOf(op));
    for (let length = 1; length < text.length; length++) {
      const under = new ClientUnderTest(() => new Response(text.slice(0, length)));
      const read = await under.sample(op).then(values, (error: unknown) => isPlatformError(error) && error.kind);
      // A change is done all the same; nothing of the cut answer is believed.
      expect(read).toEqual(needsAnswer(op) || op.reportsEach === true ? 'invalidResponse' : []);
    }
  });

  const values = (answer: unknown): readonly unknown[] =>
    Object.values(answer ?? {})
      .flat()
      .flatMap((value: unknown) => (value === undefined ? [] : [value]));
});
