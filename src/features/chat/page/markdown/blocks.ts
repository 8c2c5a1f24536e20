import type { Token } from 'marked';
import { lexed } from './bounded-lexer.ts';
import { closedMarkers } from './closed-markers.ts';

/** A block of Markdown, keyed by its position in the text: the same key is the same block. */
export interface Block {
  readonly key: number;
  readonly token: Token;
}

/** Text beyond this length, in characters, is shown unparsed: parsing it would block the view. */
const LONGEST = 300_000;

/**
 * Splits growing Markdown into blocks and parses only its tail: blocks before the last one are frozen and keep their identity, so
 * they are not rendered again. Text that is not a continuation of the previous one is parsed whole.
 */
export class BlockLexer {
  #text = '';
  #frozen: Block[] = [];
  /** Offset of the unfrozen tail. */
  #tail = 0;
  #blocks: readonly Block[] = [];

  /** Returns the blocks of the text. `complete`: the text no longer grows, so links defined below their use are resolved too. */
  update(source: string, complete: boolean): readonly Block[] {
    const text = source.replaceAll(/\r\n?/g, '\n');
    if (text === this.#text && !complete) return this.#blocks;
    const definitions = complete && /^ {0,3}\[[^\]\n]+\]:/m.test(text);
    if (!text.startsWith(this.#text) || definitions) this.#reset();
    this.#text = text;
    if (text.length > LONGEST) return this.#plain(text);
    this.#parseTail(text, complete);
    return this.#blocks;
  }

  #parseTail(text: string, complete: boolean): void {
    const fresh = positioned(lexed(text.slice(this.#tail)), this.#tail);
    const first = firstOpen(fresh);
    for (const block of fresh.slice(0, first)) {
      if (block.token.type !== 'space') this.#frozen.push(block);
      this.#tail = block.key + block.token.raw.length;
    }
    const open = fresh.slice(first);
    const shown = complete ? open : closed(open, text);
    this.#blocks = [...this.#frozen, ...shown.filter(({ token }) => token.type !== 'space')];
  }

  #plain(text: string): readonly Block[] {
    this.#blocks = [{ key: 0, token: { type: 'code', raw: text, text } }];
    return this.#blocks;
  }

  #reset(): void {
    this.#frozen = [];
    this.#tail = 0;
  }
}

/**
 * Returns the index of the first block that may still change. The last one may become something else (a paragraph becomes a
 * table, a list continues); earlier ones cannot, except a list before a number that may become its next item.
 */
function firstOpen(blocks: readonly Block[]): number {
  const last = blocks.findLastIndex(({ token }) => token.type !== 'space');
  const before = blocks.findLastIndex(({ token }, at) => at < last && token.type !== 'space');
  const mayGoOn = /^ {0,3}\d{1,9}[.)]?\s*$/.test(blocks[last]?.token.raw ?? '');
  return Math.max(0, mayGoOn && blocks[before]?.token.type === 'list' ? before : last);
}

/** Returns the open blocks with the last line closed. For display only: what is frozen depends on the original text. */
function closed(open: readonly Block[], text: string): readonly Block[] {
  const start = open[0]?.key;
  if (start === undefined) return open;
  const source = text.slice(start);
  const better = closedMarkers(source);
  return better === source ? open : positioned(lexed(better), start);
}

function positioned(tokens: readonly Token[], start: number): Block[] {
  let at = start;
  return tokens.map((token) => {
    const block = { key: at, token };
    at += token.raw.length;
    return block;
  });
}
