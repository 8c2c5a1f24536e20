/** The longest response that is read in one piece; the client refuses longer ones. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a stream to its end and resolves to its bytes: `last` itself when they are the same, without buffering any.
 * `undefined` when it is too long.
 */
export async function readUnlessSame(
  chunks: AsyncIterable<Uint8Array>,
  last: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  let same = 0;
  const rest: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const equal = rest.length === 0 ? equalBytes(last, same, chunk) : 0;
    same += equal;
    if (equal < chunk.length) rest.push(chunk.subarray(equal));
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
  }
  if (last && same === last.length && rest.length === 0) return last;
  const bytes = new Uint8Array(size);
  if (last) bytes.set(last.subarray(0, same));
  let at = same;
  for (const part of rest) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns how many bytes of `chunk` equal those of `last` from a position. */
function equalBytes(last: Uint8Array | undefined, from: number, chunk: Uint8Array): number {
  const most = Math.min(chunk.length, (last?.length ?? 0) - from);
  let at = 0;
  while (at < most && last?.[from + at] === chunk[at]) at += 1;
  return at;
}
