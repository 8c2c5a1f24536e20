/** `1 file`, `2 files`, `1,200 branches`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`;
}

/**
 * Writes a number as English does: `1,200`. The first use of a process's own number formats takes 10 ms of processor time, a
 * tenth of the shortest command of the command line, so whole numbers do without them.
 */
export function grouped(number: number): string {
  return Number.isSafeInteger(number) && !Object.is(number, -0)
    ? String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
    : number.toLocaleString('en');
}

/** Returns the plural of a noun: `hierarchy` → `hierarchies`, `index` → `indexes`, `cube of a view` → `cubes of a view`. */
export function nounsOf(noun: string): string {
  const [head = '', ...rest] = noun.split(/(?= of )/);
  return [pluralWord(head), ...rest].join('');
}

function pluralWord(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Puts the article before a noun: `a dimension`, `an index`, `an SQL expression`. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!ni|s)|hour|SQL\b)/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Capitalizes the first letter: `user attributes` → `User attributes`. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Capitalizes every word, for a heading: `user attributes` → `User Attributes`. */
export function titleCase(text: string): string {
  return text.split(' ').map(capitalized).join(' ');
}

/** Quotes the end of a sentence, and ends it where the quoted text does not: `“Not found”.`, `“Try later.”` */
export function quotedEnd(text: string): string {
  return `“${text}”${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Formats a size for the user: `812 B`, `4.2 KB`, `1.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${kilo.toFixed(1)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

/**
 * Returns the words of a text in lower case, without punctuation, to compare texts that differ only in quotes and punctuation.
 */
export function wordsOnly(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.join(' ') ?? ''
  );
}
