/** A token of a template tag; `wrong` is a character that the template engine does not know. */
export interface JinjaToken {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'wrong' | 'end';
  readonly text: string;
  /** Relative to the tokenized text. */
  readonly start: number;
}

const TOKEN =
  /\s+|(?<name>[A-Za-z_]\w*)|(?<number>\d\w*(?:\.(?:\d\w*)?)?(?:(?<=[eE])[-+]\d+)?)|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<sign>\/\/|\*\*|[=!<>]=|[-+*/%.,:~|=<>()[\]{}])|(?<wrong>.)/gsu;

/** Returns the tokens of the text between the braces of a template tag; the last one marks the end. */
export function tokensOf(inner: string): readonly JinjaToken[] {
  const tokens: JinjaToken[] = [];
  for (const { 0: text, index, groups } of inner.matchAll(TOKEN)) {
    const kind = KINDS.find((each) => groups?.[each] !== undefined);
    if (kind) tokens.push({ kind: kind === 'text' && BAD_ESCAPE.test(text) ? 'wrong' : kind, text, start: index });
  }
  const last = tokens.at(-1);
  const isTrim = last?.kind === 'sign' && /^[-+]$/.test(last.text) && last.start === inner.length - 1;
  if (isTrim) tokens.pop();
  tokens.push({ kind: 'end', text: '', start: last ? last.start + last.text.length : 0 });
  return /^[-+]/.test(inner) ? tokens.slice(1) : tokens;
}
const KINDS = ['name', 'number', 'text', 'sign', 'wrong'] as const;
/** A backslash before a character that it does not escape. */
const BAD_ESCAPE = /^(?:[^\\]|\\["'\\/bfnrtux0-7])*\\[^"'\\/bfnrtux0-7]/s;
