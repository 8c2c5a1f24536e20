import { Lexer, Tokenizer, type Token, type Tokens, type TokensList } from 'marked';

/** The most effort for one text, in characters that are read again. An answer of 100 pages takes a twentieth of it. */
const MOST_WORK = 20_000_000;
/** The deepest nesting that is parsed, deeper than what is rendered. */
const MOST_NESTED = 30;
/** The most cells that a table may have: the parser fills each row up to the width of the head. */
const MOST_CELLS = 100_000;
const MARKS = /[*_~[\]<`!\\]/g;
const LONG_WORDS = /[!-~]{500,}/g;

/**
 * Parses Markdown with an effort that grows with its length, whatever it contains. The parser reads nested and unclosed marks, and
 * lines that may be headings or tables, again and again; beyond the limits they stay as they are written.
 */
export function lexed(text: string): Token[] {
  const budget = new Budget();
  return [...new BoundedLexer(budget).lex(text)];
}

/** The effort that is left for a text, in characters. */
class Budget {
  #left = MOST_WORK;

  /** Subtracts an effort from what is left; returns whether there was enough. */
  spend(effort: number): boolean {
    this.#left -= effort;
    return this.#left > 0;
  }
}

class BoundedLexer extends Lexer {
  readonly #budget: Budget;
  #depth = 0;

  constructor(budget: Budget) {
    super({ gfm: true, tokenizer: new BoundedTokenizer(budget) });
    this.#budget = budget;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const isCheap = this.#budget.spend(inlineEffort(source));
    return this.#nested(source, tokens, isCheap, () => super.inlineTokens(source, tokens));
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    return this.#nested(source, tokens, true, () => super.blockTokens(source, tokens, lastParagraphClipped));
  }

  /** Parses one level deeper, or leaves the source as text. The parser reads the tokens from the array that it passed. */
  #nested(source: string, tokens: Token[], isCheap: boolean, parse: () => Token[]): Token[] {
    if (!isCheap || this.#depth > MOST_NESTED) {
      tokens.push(plain(source));
      this.state.top = true;
      return tokens;
    }
    this.#depth += 1;
    try {
      return parse();
    } finally {
      this.#depth -= 1;
    }
  }
}

/** Each mark may make the parser read the rest of the text, and each letter of a word may begin an address that ends with it. */
function inlineEffort(source: string): number {
  const marks = source.match(MARKS)?.length ?? 0;
  const words = (source.match(LONG_WORDS) ?? []).reduce((sum, { length }) => sum + length ** 2 / 8, 0);
  return source.length * marks + words;
}

class BoundedTokenizer extends Tokenizer {
  readonly #budget: Budget;
  /** The number of quotations around the text that is parsed. */
  #quotations = 0;

  constructor(budget: Budget) {
    super();
    this.#budget = budget;
  }

  /** A line without a mark may continue each quotation above it, so the parser reads them again, one after the other. */
  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(source)) return undefined;
    this.#quotations += 1;
    try {
      const raw = paragraph(source);
      const continued = raw.match(/^ {0,3}[^ >]/gm)?.length ?? 0;
      const isCheap = this.#budget.spend(raw.length * (continued + 1)) && this.#quotations <= MOST_NESTED;
      return isCheap ? super.blockquote(source) : { type: 'blockquote', raw, text: raw, tokens: [plain(raw)] };
    } finally {
      this.#quotations -= 1;
    }
  }

  /**
   * An underlined heading may have many lines, so the parser searches the whole paragraph at each line of a list. Where that is too
   * much, the paragraph ends here: reading it as one would cost as much.
   */
  override lheading(source: string): Tokens.Heading | undefined {
    const raw = paragraph(source);
    if (this.#budget.spend(raw.length)) return super.lheading(source);
    return { type: 'paragraph', raw, text: raw, tokens: [plain(raw)] } as Tokens.Generic as Tokens.Heading;
  }

  override table(source: string): Tokens.Table | undefined {
    const [, head, delimiters] = /^([^\n]+)\n([ |:-]+)(?:\n|$)/.exec(source) ?? [];
    if (head === undefined || delimiters === undefined) return undefined;
    const whole = paragraph(source);
    if (!this.#budget.spend(whole.length)) return undefined;
    const cells = head.split('|').length * whole.split('\n').length;
    return cells <= MOST_CELLS ? super.table(source) : undefined;
  }
}

function plain(text: string): Tokens.Text {
  return { type: 'text', raw: text, text };
}

/** Returns the text up to its first empty line. */
function paragraph(source: string): string {
  const end = source.indexOf('\n\n');
  return end === -1 ? source : source.slice(0, end);
}
