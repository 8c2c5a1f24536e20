const CR = 0x0d;
const LF = 0x0a;

/** Checks whether two versions differ only in line endings (CRLF or LF, and the newline at the very end). */
export function differsOnlyInLineEnds(a: Uint8Array, b: Uint8Array): boolean {
  const left = withoutLineEndDetails(a);
  const right = withoutLineEndDetails(b);
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}

function withoutLineEndDetails(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== CR || bytes[at + 1] !== LF) out[size++] = byte;
  }
  while (size > 0 && out[size - 1] === LF) size -= 1;
  return out.subarray(0, size);
}
