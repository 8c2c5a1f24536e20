import { Writable } from 'node:stream';

/** From this size on, in bytes, a message is not copied to join its header: the stream writes both at once. */
const LONG = 65_536;

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
      const head = Buffer.from(header);
      header = '';
      if (chunk.length < LONG) {
        stream.write(Buffer.concat([head, chunk]), done);
        return;
      }
      stream.cork();
      stream.write(head);
      stream.write(chunk, done);
      stream.uncork();
    },
  });
  stream.on('error', (error) => whole.destroy(error));
  stream.on('close', () => whole.destroy());
  return whole;
}
