import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditLogCsv, readBytes } from '#api/streams/byte-stream.ts';
import { ClientUnderTest, json, thrown } from '#support/api/client-under-test.ts';

function bodyOf(chunks: readonly Uint8Array[], end: 'close' | 'error' | 'hang' = 'close'): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: async (controller) => {
      const chunk = chunks[at++];
      if (chunk) controller.enqueue(chunk);
      else if (end === 'close') controller.close();
      else if (end === 'error') controller.error(new TypeError('terminated'));
      else await new Promise(() => undefined);
    },
  });
}

async function concat(source: AsyncIterable<Uint8Array>): Promise<number[]> {
  const bytes: number[] = [];
  for await (const chunk of source) bytes.push(...chunk);
  return bytes;
}

describe('readBytes', () => {
  it('gives every byte in order, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1 })), async (chunks) => {
        const bytes = await concat(readBytes(new Response(bodyOf(chunks)), { id: 'x' }));
        expect(bytes).toEqual(chunks.flatMap((chunk) => [...chunk]));
      }),
    );
  });

  it('says how a stream ended that did not end well', async () => {
    const some = [Uint8Array.of(1)];
    const broken = concat(readBytes(new Response(bodyOf(some, 'error')), { id: 'x' }));
    expect(await thrown(broken)).toMatchObject({ kind: 'network', operation: 'x', retryable: true });
    const silent = concat(readBytes(new Response(bodyOf(some, 'hang')), { id: 'x' }, { idleMs: 1 }));
    expect(await thrown(silent)).toMatchObject({ kind: 'timeout' });
    const controller = new AbortController();
    const left = concat(readBytes(new Response(bodyOf(some, 'hang')), { id: 'x' }, { signal: controller.signal }));
    controller.abort();
    expect(await thrown(left)).toMatchObject({ kind: 'cancelled', name: 'AbortError' });
  });

  it('of an empty answer gives nothing', async () => {
    expect(await concat(readBytes(new Response(null), { id: 'x' }))).toEqual([]);
  });
});

describe('auditLogCsv', () => {
  it('asks with the filters and streams the file', async () => {
    const { client, sent } = new ClientUnderTest(() => new Response('a,b\r\n'));
    const query = { start: '2026-01-01', end: '2026-02-01T00:00:00Z', search: 'x y', userEmail: 'a@b.example' };
    const bytes = await concat(auditLogCsv(client, query));
    expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe('a,b\r\n');
    expect(new URL(sent[0]?.url ?? '').search).toBe(
      '?start=2026-01-01&end=2026-02-01T00%3A00%3A00Z&search=x+y&userEmail=a%40b.example',
    );
  });

  it('says that the feature or the permission is missing', async () => {
    const { client } = new ClientUnderTest(() => json({ error: 'AuditLogManage is needed' }, { status: 403 }));
    const error = await thrown(concat(auditLogCsv(client)));
    expect((error as Error).message).toContain('“AuditLogManage is needed”');
  });

  it.each(['yesterday', '2026-13-40', '01.02.2026'])('refuses %s as a date', async (start) => {
    const { client, sent } = new ClientUnderTest(() => new Response(''));
    const error = await thrown(concat(auditLogCsv(client, { start })));
    expect(error).toMatchObject({ kind: 'invalidRequest', field: 'query.start' });
    expect(sent).toEqual([]);
  });
});
