import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logRows } from '#features/logs/log-rows.ts';
import { type AskLog, followLog, formatLogLine, type LogLine, type LogQuestion } from '#features/logs/log-tail.ts';
import { ManualClock } from '#support/manual-clock.ts';

const line = (date: string, message: string): LogLine => ({ date, message, pod: 'p', container: 'MAIN' });

/** Follows until `count` things were heard: messages, and `gap` where rows are missing. */
async function follow(answer: (question: LogQuestion, look: number) => readonly LogLine[], count: number) {
  const clock = new ManualClock();
  const ended = new AbortController();
  const asked: LogQuestion[] = [];
  const got: string[] = [];
  const ask: AskLog = async function* (question) {
    asked.push(question);
    yield await Promise.resolve(answer(question, asked.length));
  };
  const following = (async () => {
    for await (const news of followLog(ask, clock, ended.signal)) {
      if (news.kind === 'gap') got.push('gap');
      else for (const { message } of news.rows) got.push(message);
      if (got.length >= count) ended.abort();
    }
  })();
  await clock.run(following.catch(() => undefined));
  return { got, asked };
}

describe('a followed log', () => {
  it('yields each row once, though the newest moment is asked for again', async () => {
    const answers = [
      [line('2', 'b'), line('1', 'a')],
      [line('2', 'b'), line('2', 'c')],
      [line('2', 'b'), line('2', 'c'), line('3', 'd')],
    ];
    const { got, asked } = await follow((_, look) => answers[look - 1] ?? [], 4);
    expect(got).toEqual(['a', 'b', 'c', 'd']);
    expect(asked.map(({ from }) => from)).toEqual([undefined, '2', '2']);
  });

  it('asks for more when an answer is full and does not reach back', async () => {
    // The platform has the newest rows of 30,000 new ones.
    const all = Array.from({ length: 30_001 }, (_, at) => line(String(100_000 + at), String(at)));
    const { got, asked } = await follow(
      ({ limit }, look) => (look === 1 ? all.slice(0, 1) : all.slice(1).slice(-limit)),
      all.length,
    );
    expect(got).toEqual(all.map(({ message }) => message));
    expect(asked.map(({ limit }) => limit)).toEqual([500, 20_000, 80_000]);
  });

  it('says that rows are missing when there are too many', async () => {
    const first = line('1', 'first');
    const { got } = await follow(
      ({ limit }, look) => (look === 1 ? [first] : Array.from({ length: limit }, () => line('2', 'flood'))),
      3,
    );
    expect(got.slice(0, 3)).toEqual(['first', 'gap', 'flood']);
  });

  it('indents further lines of a message', () => {
    expect(formatLogLine(line('t', 'one\ntwo\n'))).toBe('t MAIN p │ one\n    two');
  });
});

async function* chunksOf(json: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(json);
  const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
  for (const [at, end] of ends.entries()) yield await Promise.resolve(bytes.slice(ends[at - 1] ?? 0, end));
}

async function read(json: string, cuts: readonly number[] = []): Promise<readonly LogLine[]> {
  const all: LogLine[] = [];
  for await (const rows of logRows(chunksOf(json, cuts))) all.push(...rows);
  return all;
}

describe('rows of a log’s answer', () => {
  it('are found in a wrapped list too; what is not a row is left out', async () => {
    const row = { date: '1', message: 'a "[{" b\\', more: [{ message: 'inner' }], nested: { message: 'x' } };
    const rows = [{ date: '1', message: row.message, pod: undefined, container: undefined }];
    expect(await read(JSON.stringify([row, 'text', 7, { message: 5 }]))).toEqual(rows);
    expect(await read(JSON.stringify({ total: 1, data: [row] }))).toEqual(rows);
    await expect(read('<html>')).rejects.toThrow('not a log');
    expect(await read('[]')).toEqual([]);
  });

  it('are what was written, however the stream is cut', async () => {
    const row = fc.record({
      date: fc.string({ maxLength: 4 }),
      pod: fc.constant('p'),
      container: fc.constant('c'),
      message: fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('"', '\\"', '[{', '}]', '\\')),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), fc.array(fc.nat(300)), async (rows, cuts) => {
        expect(await read(JSON.stringify(rows), cuts)).toEqual(rows);
      }),
    );
  });

  it('give an error when they end before the answer does, at whatever byte', async () => {
    const text = JSON.stringify({ data: [line('2', 'b "]}'), line('1', 'a\\')] });
    for (let length = 1; length < text.length; length++) {
      await expect(read(text.slice(0, length))).rejects.toThrow(/connection broke/);
    }
  });
});
