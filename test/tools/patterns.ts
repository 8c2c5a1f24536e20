import { createContext, Script } from 'node:vm';
import { parseSync } from 'oxc-parser';

/** A regular expression of a source file. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Returns the regular expressions that a source file writes as literals. */
export function patternsIn(path: string, source: string): readonly Pattern[] {
  const found: Pattern[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('regex' in value) {
      const { pattern, flags } = value.regex as { readonly pattern: string; readonly flags: string };
      found.push({ source: pattern, flags });
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(path, source).program);
  return found;
}

/** Characters that many patterns read in more than one way. */
const USUAL = ['\\', '"', ' ', '\n', 'a', '0'];
/** How many characters of a pattern itself are tried. */
const MOST_OWN = 6;
/** A pattern that doubles its steps with each character would need years for this many. */
const LENGTH = 64;

const context = createContext({});
const tryAll = new Script('for (; at < texts.length; at++) pattern.exec(texts[at]);');

/**
 * Returns a text for which a pattern takes far more steps than the text has characters: each further one multiplies them. Tries one or
 * two characters again and again behind each possible first one. Returns undefined if there is none among them.
 *
 * @param limitMs how long a text may take, which only such a pattern exceeds
 */
export function endlessText({ source, flags }: Pattern, limitMs: number): string | undefined {
  const own = [...new Set(source.match(/[^\w\s\\[\]()|?*+^$]/g))].slice(0, MOST_OWN);
  const characters = [...USUAL, ...own];
  const pumps = characters.flatMap((one) => [
    one,
    ...characters.filter((other) => other !== one).map((other) => one + other),
  ]);
  const texts = ['', ...characters].flatMap((first) =>
    pumps.map((pump) => `${first}${pump.repeat(LENGTH / pump.length)}\0`),
  );
  Object.assign(context, { pattern: new RegExp(source, flags.replace(/[gy]/g, '')), texts, at: 0 });
  try {
    tryAll.runInContext(context, { timeout: limitMs });
    return undefined;
  } catch (error) {
    // The error is one of the other context.
    if ((error as { readonly code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return texts[Number(context['at'])];
    throw error;
  }
}
