import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StreamMessageWriter } from 'vscode-languageserver/node';
import { withWholeWrites } from '#language-server/client/whole-writes.ts';

function collector(): { readonly stream: Writable; readonly chunks: readonly string[] } {
  const chunks: string[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    chunks.push(chunk.toString());
    done();
  };
  return { stream: new Writable({ write }), chunks };
}

const message = (method: string): { readonly jsonrpc: string; readonly method: string } => ({ jsonrpc: '2.0', method });

describe('messages in one piece', () => {
  it('writes the header of a message together with what it says', async () => {
    const { stream, chunks } = collector();
    const writer = new StreamMessageWriter(withWholeWrites(stream));
    await Promise.all([writer.write(message('a')), writer.write(message('bé'))]);
    expect(chunks).toEqual([
      'Content-Length: 30\r\n\r\n{"jsonrpc":"2.0","method":"a"}',
      'Content-Length: 32\r\n\r\n{"jsonrpc":"2.0","method":"bé"}',
    ]);
  });

  it('writes a long message at once, too, without a copy of it', async () => {
    const writes: string[] = [];
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        writes.push(chunk.toString());
        done();
      },
      writev: (chunks, done) => {
        writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)).toString());
        done();
      },
    });
    const writer = new StreamMessageWriter(withWholeWrites(stream));
    const method = 'a'.repeat(100_000);
    await Promise.all([writer.write(message(method)), writer.write(message('b'))]);
    expect(writes).toEqual([
      `Content-Length: 100029\r\n\r\n${JSON.stringify(message(method))}`,
      'Content-Length: 30\r\n\r\n{"jsonrpc":"2.0","method":"b"}',
    ]);
  });

  it('reports that its reader is gone', async () => {
    const { stream } = collector();
    const writer = new StreamMessageWriter(withWholeWrites(stream));
    const failed = new Promise<string>((resolve) => writer.onError(([error]) => resolve(error.message)));
    const closed = new Promise<void>((resolve) => writer.onClose(resolve));
    stream.destroy(new Error('The pipe is broken.'));
    await closed;
    expect(await failed).toBe('The pipe is broken.');
  });
});
