import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRows } from '#features/audit/csv-rows.ts';

async function* chunksOf(text: string, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
  for (const [at, end] of ends.entries()) yield await Promise.resolve(bytes.slice(ends[at - 1] ?? 0, end));
}

async function read(text: string, cuts?: readonly number[]): Promise<readonly (readonly string[])[]> {
  const all: (readonly string[])[] = [];
  for await (const rows of csvRows(chunksOf(text, cuts))) all.push(...rows);
  return all;
}

const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

describe('rows of a CSV stream', () => {
  it.each([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['"x, ""y""\nz",\n', [['x, "y"\nz', '']]],
    [',\n', [['', '']]],
    ['""\n', [['']]],
    ['', []],
    ['a"b,c\n', [['a"b', 'c']]],
  ])('of %j', async (text, rows) => {
    expect(await read(text)).toEqual(rows);
  });

  it('are what was written, however the stream is cut', async () => {
    const field = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.constantFrom('"', ',', '\r\n', 'a"b', ''));
    const row = fc.array(field, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), fc.array(fc.nat(80)), async (rows, cuts) => {
        const text = rows.map((fields) => `${fields.map(quoted).join(',')}\r\n`).join('');
        expect(await read(text, cuts)).toEqual(rows);
      }),
    );
  });
});

describe('a CSV stream that is cut', () => {
  const header = 'event,user,data';
  const rows = ['create,anna@example.com,"{""a"": 1}"', 'delete,noah@example.com,"line\nline"'];
  const text = `${[header, ...rows].join('\n')}\n`;

  it('at any byte yields only whole rows, and never half of one as the last', async () => {
    const whole = await read(text);
    for (let length = 1; length < text.length; length++) {
      const got: (readonly string[])[] = [];
      const reading = (async () => {
        for await (const batch of csvRows(chunksOf(text.slice(0, length)))) got.push(...batch);
      })();
      const isCut = await reading.then(
        () => false,
        () => true,
      );
      // Within the header or the last field of a row nothing tells, but the length that the server announced.
      const last = got.at(-1);
      const isHalf = last !== undefined && !whole.some((row) => row.length === last.length);
      expect({ length, isHalf: isHalf && got.length > 1, isCut }).toMatchObject({ isHalf: false });
    }
    await expect(read(text.slice(0, -5))).rejects.toThrow(/connection broke/);
    await expect(read(text.slice(0, text.indexOf('noah')))).rejects.toThrow(/connection broke/);
  });
});
