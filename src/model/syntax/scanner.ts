/** A position in a text and the few questions that the parsers ask of it. */
export class Scanner {
  readonly text: string;
  readonly length: number;
  at = 0;

  constructor(text: string) {
    this.text = text;
    this.length = text.length;
  }

  /** The code unit here, or -1 at the end. */
  peek(): number {
    return this.at < this.length ? this.text.charCodeAt(this.at) : -1;
  }

  codeAt(at: number): number {
    return at < this.length ? this.text.charCodeAt(at) : -1;
  }

  skipSpaces(): void {
    while (this.at < this.length && this.text.charCodeAt(this.at) === Code.space) this.at++;
  }

  /** The end of the line that holds `from`, without its line break. */
  lineEnd(from: number): number {
    const next = this.text.indexOf('\n', from);
    const end = next === -1 ? this.length : next;
    return end > from && this.text.charCodeAt(end - 1) === Code.cr ? end - 1 : end;
  }

  /** Where the line after `from` starts. */
  nextLine(from: number): number {
    const next = this.text.indexOf('\n', from);
    return next === -1 ? this.length : next + 1;
  }
}

export const Code = {
  tab: 9,
  newline: 10,
  cr: 13,
  space: 32,
  bang: 33,
  quote: 34,
  hash: 35,
  percent: 37,
  amp: 38,
  apostrophe: 39,
  star: 42,
  comma: 44,
  dash: 45,
  colon: 58,
  greater: 62,
  question: 63,
  at: 64,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  backtick: 96,
  openBrace: 123,
  pipe: 124,
  closeBrace: 125,
} as const;

/** A space, a tab, a line break or the end. */
export function isBreakOrSpace(code: number): boolean {
  return code === Code.space || code === Code.newline || code === Code.cr || code === Code.tab || code === -1;
}

export function isBreak(code: number): boolean {
  return code === Code.newline || code === Code.cr || code === -1;
}
