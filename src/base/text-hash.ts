/**
 * Returns a 32-bit FNV-1a hash over the UTF-16 code units of a text: fast and the same everywhere, but collisions are easy to
 * find.
 */
export function textHash(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}

/** Returns a 64-bit FNV-1a hash over the UTF-8 bytes of a text, as 16 hexadecimal digits: for names that are stored on disk. */
export function longTextHash(text: string): string {
  let hash = 0xcb_f2_9c_e4_84_22_23_25n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x1_00_00_00_01_b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
