/** `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A text with a large first letter: `user attributes` → `User attributes`. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A text as a heading, every word with a large first letter: `user attributes` → `User Attributes`. */
export function titleCase(text: string): string {
  return text.split(' ').map(capitalized).join(' ');
}

/** Bytes for a user: `812 B`, `4.2 KB`, `1.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${kilo.toFixed(1)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

/** A text in lower case without what stands between its words: what two texts that differ in quotes and punctuation share. */
export function wordsOnly(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.join(' ') ?? ''
  );
}
