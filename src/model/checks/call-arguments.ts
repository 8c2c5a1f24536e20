import { withoutStrings } from '../expressions/without-strings.ts';

/** What the engine's reader of expressions refuses wherever it stands, also between the brackets of a call. */
const REFUSED: readonly RegExp[] = [
  // An operation, a comparison, a named argument, a function of JavaScript.
  /[\w)\]]\s*(?:[*/%+^|&@-]|<<|>>)/,
  /[=<>;]/,
  /[\w)\]]\s+(?:in|is|if|else|for|not\s+in)\s/,
  // Constants of Python, except as an attribute.
  /(?<![.\w])(?:None|True|False)\b/,
  // Nothing or several values in brackets that call nothing.
  /(?<![\w)\]\s])\s*\(\s*\)/,
  /(?<![\w)\]\s])\s*[([][^()[\]]*,\s*[^()[\]\s]/,
  /\[\s*\]/,
  /\w\s*\[/,
  // An operator without its second value.
  /[*/%+^|&@-]\s*[),]/,
];

/** The parameters of a function, which may have a star. */
const PARAMETERS = /\blambda\b(?:[^:()l]|l(?!ambda\b))*:/g;

/**
 * Checks whether the engine's reader refuses an argument of a call, such as `f("a" + "b")` or `f((x) => x)`. `inner` is an
 * expression without the escapes of the text that holds it.
 */
export function hasRefusedArgument(inner: string): boolean {
  const open = inner.indexOf('(');
  if (open === -1) return false;
  const bare = withoutStrings(inner, { triple: true }).replaceAll(PARAMETERS, '').replace(/#.*/, '');
  if (bare.includes('=>')) return true;
  // Nested braces are another expression.
  if (bare.includes('{')) return false;
  return /["']/.test(bare) || REFUSED.some((pattern) => pattern.test(bare));
}

/** Checks for a function as JavaScript writes it. */
export function hasArrow(inner: string): boolean {
  return withoutStrings(inner, { triple: true }).includes('=>');
}
