import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, LineTooLongError } from '#base/lines.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const splitter = new LineSplitter();
  const edges = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const lines: string[] = [];
  let start = 0;
  for (const edge of [...edges, bytes.length]) {
    lines.push(...splitter.push(bytes.subarray(start, edge)));
    start = edge;
  }
  const last = splitter.end();
  return last === undefined ? lines : [...lines, last];
}

describe('LineSplitter', () => {
  it('gives the same lines wherever the bytes are cut, inside characters too', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\n\r\uD800-\uDFFF\uFEFF]/gu, ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const text = lines.map((each) => `${each}\n`).join('');
        expect(split(encode(text), cuts)).toEqual(lines);
      }),
    );
  });

  it('drops a trailing CR and delivers a last line without newline', () => {
    expect(split(encode('a\r\nb\r\n\nc'), [2, 3])).toEqual(['a', 'b', '', 'c']);
  });

  it('survives a producer that reuses its buffer', () => {
    const splitter = new LineSplitter();
    const buffer = encode('abc');
    splitter.push(buffer);
    buffer.fill(0x78);
    expect(splitter.push(encode('\n'))).toEqual(['abc']);
  });

  it('refuses a line over the limit and keeps nothing of it', () => {
    const splitter = new LineSplitter(8);
    expect(() => splitter.push(encode('123456789'))).toThrow(LineTooLongError);
    expect(splitter.end()).toBeUndefined();
  });
});
