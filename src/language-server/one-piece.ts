import { Writable } from 'node:stream';

/**
 * Messages in one piece each. The library writes the header of a message first and waits until it is gone: the reader is
 * woken twice, and takes the processor in between.
 */
export function inOnePiece(stream: Writable): Writable {
  let header = '';
  const whole = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      if (typeof chunk === 'string') {
        header += chunk;
        done();
        return;
      }
      stream.write(Buffer.concat([Buffer.from(header), chunk]), done);
      header = '';
    },
  });
  stream.on('error', (error) => whole.destroy(error));
  stream.on('close', () => whole.destroy());
  return whole;
}
