/** Maximum number of different keys to store, so that unusual files do not fill the memory. */
const LIMIT = 2000;
const SLOTS = 8192;

const slots = new Int16Array(SLOTS);
const texts: string[] = [''];

/** Returns the number of the word between two offsets of a text without creating a string; 0 if the table is full. */
export function wordAt(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  const length = end - start;
  for (let slot = (hash ^ (hash >>> 13)) & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
    const word = slots[slot] ?? 0;
    if (word === 0) {
      if (texts.length > LIMIT) return 0;
      slots[slot] = texts.length;
      return texts.push(text.slice(start, end)) - 1;
    }
    const known = texts[word] ?? '';
    if (known.length === length && text.startsWith(known, start)) return word;
  }
}

/** Returns the number of a word. */
export function wordOf(text: string): number {
  return wordAt(text, 0, text.length);
}

/** Returns the word of a number. */
export function wordText(word: number): string {
  return texts[word] ?? '';
}
