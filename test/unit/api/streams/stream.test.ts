import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '#api/streams/chat-messages.ts';
import { isPlatformError } from '#api/errors.ts';
import { type ByteSource, readChatEvents, readNdjson } from '#api/streams/stream.ts';
import type { Logger } from '#base/log.ts';
import { silentLogger } from '#base/log.ts';

const encoder = new TextEncoder();
const options = { operation: 'streamChat', yieldNow: () => Promise.resolve() };

async function* chunks(...parts: readonly (string | Uint8Array)[]): ByteSource {
  for (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
}

async function values(source: ByteSource, more = {}): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const batch of readNdjson(source, { ...options, ...more })) all.push(...batch);
  return all;
}

async function events(source: ByteSource, logger: Logger = silentLogger): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const batch of readChatEvents(source, { ...options, logger })) all.push(...batch);
  return all;
}

/** Cuts bytes at the given places, which fall anywhere: inside characters, CRLF and JSON. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.slice(from, at[index] ?? bytes.length));
}

describe('readNdjson', () => {
  it('reads the same values whatever the cuts, line ends and blank lines', async () => {
    const line = fc.record({ text: fc.string({ unit: 'grapheme' }), n: fc.integer() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n\n', '\n \n'))),
        fc.boolean(),
        fc.array(fc.nat()),
        async (lines, lastNewline, places) => {
          const whole = lines.map(([value, end]) => JSON.stringify(value) + end).join('');
          const bytes = encoder.encode(lastNewline ? whole : whole.trimEnd());
          expect(await values(chunks(...cut(bytes, places)))).toEqual(lines.map(([value]) => value));
        },
      ),
    );
  });

  it('reads an error object that is printed over several lines', async () => {
    expect(await values(chunks('{\n  "jsonrpc": "2.0",\n', '  "error": {"code": 1, "message": "no"}\n}\n'))).toEqual([
      { jsonrpc: '2.0', error: { code: 1, message: 'no' } },
    ]);
  });

  it('drops a last line that was cut off, also when it is the first', async () => {
    expect(await values(chunks('{"a":1}\n{"b":'))).toEqual([{ a: 1 }]);
    expect(await values(chunks('{"a":'))).toEqual([]);
  });

  it('says that a page of HTML is not a chat stream', async () => {
    await expect(values(chunks('<!doctype html>\n<p>hello</p>\n'))).rejects.toSatisfy((error) =>
      isPlatformError(error, 'invalidResponse'),
    );
  });

  it('takes a broken line in the middle for a broken connection, which may be tried again', async () => {
    await expect(values(chunks('{"a":1}\n{"b":\n{"c":1}\n'))).rejects.toMatchObject({
      kind: 'network',
      retryable: true,
    });
  });

  it('turns a source that fails into a retryable network error', async () => {
    async function* broken(): ByteSource {
      yield encoder.encode('{"a":1}\n');
      throw new TypeError('terminated');
    }
    await expect(values(broken())).rejects.toMatchObject({ kind: 'network', retryable: true });
  });

  it('rejects with the abort reason when it was aborted', async () => {
    const controller = new AbortController();
    async function* source(): ByteSource {
      yield encoder.encode('{"a":1}\n');
      controller.abort(new Error('stop it'));
      yield encoder.encode('{"a":2}\n');
    }
    await expect(values(source(), { signal: controller.signal })).rejects.toThrow('stop it');
  });

  it('reads a line near the limit and refuses one beyond it', async () => {
    const big = JSON.stringify({ rows: 'x'.repeat(5_000_000) });
    const bytes = encoder.encode(`${big}\n`);
    const parts = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) =>
      bytes.slice(n * 65_536, (n + 1) * 65_536),
    );
    expect(await values(chunks(...parts), { maxLineBytes: 6_000_000 })).toHaveLength(1);
    await expect(values(chunks(...parts), { maxLineBytes: 1_000_000 })).rejects.toMatchObject({
      kind: 'invalidResponse',
    });
  });

  it('reads a line of 64 MB', async () => {
    const megabyte = encoder.encode('x'.repeat(1024 * 1024));
    const parts = Array.from({ length: 63 }, () => megabyte);
    const [value] = await values(chunks('{"rows":"', ...parts, '"}\n'));
    expect((value as { rows: string }).rows).toHaveLength(63 * 1024 * 1024);
  });

  it('gives others a turn when one chunk takes longer than a slice', async () => {
    let time = 0;
    let turns = 0;
    const text = 'x'.repeat(2_000);
    const many = Array.from({ length: 400 }, (_, n) => `{"n":${n},"text":"${text}"}\n`).join('');
    const read = await values(chunks(many), {
      now: () => (time += 1),
      sliceMs: 8,
      yieldNow: () => {
        turns += 1;
        return Promise.resolve();
      },
    });
    expect(read).toHaveLength(400);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('readChatEvents', () => {
  it('logs what it does not know once and continues', async () => {
    const logged: unknown[] = [];
    const logger = { ...silentLogger, info: (_: string, fields: unknown) => logged.push(fields) };
    const read = await events(
      chunks('{"id":"__new__"}\n{"id":"__new__"}\n{"id":"a","role":"assistant","content":"x"}\n7\n'),
      logger,
    );
    expect(read.map((event) => event.kind)).toEqual(['message']);
    expect(logged).toEqual([
      { operation: 'streamChat', what: '__new__' },
      { operation: 'streamChat', what: 'a line that is not an object' },
    ]);
  });
});
