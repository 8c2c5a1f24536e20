import type { JinjaToken } from '#model/syntax/jinja/tokens.ts';

/**
 * Returns each token with its index, the number of brackets around it and the index of the innermost one (-1 without); a bracket
 * counts as inside itself only where it opens.
 */
export function nested(tokens: readonly JinjaToken[]) {
  const open: number[] = [];
  return tokens.map((token, at) => {
    if (/^[([{]$/.test(token.text)) open.push(at);
    if (/^[)\]}]$/.test(token.text)) open.pop();
    return { token, at, depth: open.length, open: open.at(-1) ?? -1 };
  });
}

/** Checks whether a token is the name of a filter or a test. */
export function isWordOfEngine(tokens: readonly JinjaToken[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  return before === '|' || before === 'is' || (before === 'not' && tokens[at - 2]?.text === 'is');
}

/** Returns the name before the dot, if it begins the path. */
export function importBefore(tokens: readonly JinjaToken[], at: number): string | undefined {
  const behind = tokens[at - 2];
  return behind?.kind === 'name' && tokens[at - 3]?.text !== '.' ? behind.text : undefined;
}

/** Keywords of template expressions and statements. */
export const TEMPLATE_WORDS: ReadonlySet<string> = new Set(
  'and or not if else elif in is for set with call filter import from include extends as recursive true false none True False None context ignore missing'.split(
    ' ',
  ),
);
