import { readChatEvents, readNdjson } from '#api/streams/stream.ts';
import type { Figure } from '../figures.ts';

const encoder = new TextEncoder();
const CHUNK = 16 * 1024;
const options = { operation: 'bench' };

/** Reading NDJSON in the extension host. */
export async function hostFigures(quick: boolean): Promise<readonly Figure[]> {
  const runs = quick ? 3 : 9;
  return [await bigLine(runs), ...(await smallLines(runs))];
}

/** One tool result of 6 MB, as it comes from the network. */
async function bigLine(runs: number): Promise<Figure> {
  const row = ['2025-01-01T00:00:00.000', 'a status', '12345.67', 'Grüße'];
  const result = JSON.stringify({ data: Array.from({ length: 90_000 }, () => row) });
  const bytes = encoder.encode(`${JSON.stringify({ id: 't', role: 'assistant', toolCall: { name: 'x', result } })}\n`);
  const chunks = chunksOf(bytes);
  const value = await timed(runs, async () => {
    for await (const batch of readChatEvents(source(chunks), options)) void batch;
  });
  const peerValue = await timed(Math.min(3, runs), () => naive(chunks));
  return {
    id: `one line of ${(bytes.length / 1e6).toFixed(1)} MB, read and parsed`,
    value,
    unit: 'ms',
    peer: 'buffer += chunk; split',
    peerValue,
    ratio: value / peerValue,
    reach: 60,
    ok: value <= 60,
  };
}

async function smallLines(runs: number): Promise<readonly Figure[]> {
  const line = { role: 'assistant', content: 'word ', graphPath: ['final'], isDelta: true, isInProcess: true };
  const lines = Array.from({ length: 20_000 }, (_, sort) => JSON.stringify({ id: 'f', ...line, sort }));
  const chunks = chunksOf(encoder.encode(`${lines.join('\n')}\n`));
  const plain = await timed(runs, () => {
    for (const text of lines) JSON.parse(text);
    return Promise.resolve();
  });
  const values = await timed(runs, async () => {
    for await (const batch of readNdjson(source(chunks), options)) void batch;
  });
  const events = await timed(runs, async () => {
    for await (const batch of readChatEvents(source(chunks), options)) void batch;
  });
  const peer = 'JSON.parse a line, lines given';
  const speed = plain / values;
  return [
    {
      id: '20,000 small lines, bytes to values: speed beside plain JSON.parse',
      value: speed,
      unit: '×',
      peer: `${peer} (ms)`,
      peerValue: plain,
      reach: 0.7,
      ok: speed >= 0.7,
    },
    {
      id: '20,000 small lines, bytes to checked events',
      value: events,
      unit: 'ms',
      peer,
      peerValue: plain,
      ratio: events / plain,
      ok: true,
    },
  ];
}

/** The usual way: text is glued together and split again with each chunk. */
function naive(chunks: readonly Uint8Array[]): Promise<void> {
  const decoder = new TextDecoder();
  let buffer = '';
  for (const chunk of chunks) {
    buffer += decoder.decode(chunk, { stream: true });
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) JSON.parse(line);
  }
  return Promise.resolve();
}

async function* source(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, n) => bytes.slice(n * CHUNK, (n + 1) * CHUNK));
}

async function timed(runs: number, work: () => Promise<void>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  // The quickest: what others do on the machine only ever adds.
  return Math.min(...times);
}
