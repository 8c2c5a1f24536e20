import { Transform } from 'node:stream';

/** The most bytes of a message. */
const LARGEST = 10 * 1024 * 1024;

/** Ends a connection whose client sends a message that is larger than the limit. */
export class MessageTooLarge extends Error {
  constructor() {
    super('The client sent a message of more than 10 MB.');
    this.name = 'MessageTooLarge';
  }
}

/** The fields of a message. The library ignores a message that has others, so that it would never be answered. */
const FIELDS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/**
 * Returns a stream that takes the lines of a client and gives one message in each, with the fields that a message has: version 2025-03-26
 * of the protocol lets a client send several requests as a list, which the library ignores, so that they would never be answered.
 * Each gets an answer of its own. The stream fails with `MessageTooLarge`. What follows the last line break is dropped.
 */
export function singleMessages(largest = LARGEST): Transform {
  let pending: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let rest = chunk;
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        const line = Buffer.concat([...pending, rest.subarray(0, end + 1)]);
        if (line.length > largest) return done(new MessageTooLarge());
        for (const message of messagesOf(line)) this.push(message);
        pending = [];
        size = 0;
        rest = rest.subarray(end + 1);
      }
      if (rest.length > 0) pending.push(rest);
      size += rest.length;
      return size > largest ? done(new MessageTooLarge()) : done();
    },
  });
}

function messagesOf(line: Buffer): readonly (string | Buffer)[] {
  let read: unknown;
  try {
    read = JSON.parse(line.toString());
  } catch {
    // The library reports what cannot be read.
    return [line];
  }
  if (Array.isArray(read)) return read.map((message) => `${JSON.stringify(known(message))}\n`);
  const message = known(read);
  return [message === read ? line : `${JSON.stringify(message)}\n`];
}

/** Returns a message without fields that messages do not have; the same one if it has none of them. */
function known(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return message;
  const fields = Object.entries(message);
  const own = fields.filter(([name]) => FIELDS.has(name));
  return own.length === fields.length ? message : Object.fromEntries(own);
}
