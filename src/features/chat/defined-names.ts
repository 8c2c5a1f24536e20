/** In YAML, `- name: orders`; in scripts, `cube('orders'`, or a key that begins an object. */
const YAML_NAME = /^\s*-\s+(?:\{\s*)?["']?name["']?\s*:\s*\S/;
const SCRIPT_NAME = /^\s*(?:export\s+default\s+)?(?:(?:cube|view)\s*\(\s*[`'"]|["'`]?\w+["'`]?\s*:\s*\{)/;
/** Keys of a cube that contain members, or say something about one. */
const NO_MEMBER =
  /^\s*["'`]?(?:measures|dimensions|segments|joins|hierarchies|pre_?[aA]ggregations|access_?[pP]olicy|refresh_?[kK]ey|meta|case|else|format)["'`]?\s*:/;

/**
 * Whether a line seems to name a cube, view or member. Judged by the line alone, because VS Code asks with each move of the cursor;
 * what it really is becomes clear when the user asks.
 */
export function definesName(line: string, languageId: string): boolean {
  if (languageId === 'javascript') return SCRIPT_NAME.test(line) && !NO_MEMBER.test(line);
  return YAML_NAME.test(line);
}
