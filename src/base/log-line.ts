/** Characters that a terminal acts on or that hide others. */
const HIDDEN = /[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv;

/**
 * Makes an entry of a log of a text that may come from elsewhere: a control character could act on the terminal that shows the file,
 * and a line could pass for an entry of its own, so that further lines are indented.
 */
export function logLine(text: string): string {
  return text.replaceAll(/\r\n?|[\n\u0085\u2028\u2029]/g, '\n    ').replaceAll(HIDDEN, '\uFFFD');
}
