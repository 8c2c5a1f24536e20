import { Writable } from 'node:stream';

/**
 * Writes each message in one piece. The library writes a message's header first and waits until it is written: the reader wakes
 * up twice, and takes the processor in between.
 */
export function withWholeWrites(stream: Writable): Writable {
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
