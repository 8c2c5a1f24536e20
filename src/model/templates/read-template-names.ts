import type { ModelFile } from '../file.ts';
import { type JinjaToken, tokensOf } from '#model/syntax/jinja/tokens.ts';
import { importBefore, isWordOfEngine, nested, TEMPLATE_WORDS } from './nested-tokens.ts';
import { BLOCKS } from '#model/syntax/jinja/blocks.ts';

/** Returns the names that the templates of a file declare and use. */
export function readTemplateNames(file: ModelFile): TemplateNames {
  return new NameReader(file).read();
}

type TemplateSymbolKind = 'macro' | 'variable' | 'loop variable' | 'parameter' | 'imported macro' | 'import';

interface ImportSource {
  readonly path: string;
  readonly name?: string;
  /** Whether it has another name here. */
  readonly isAlias?: boolean;
  /** Offset of the macro's own name in the import. */
  readonly start?: number;
}

/** A name that a template defines. Offsets are the file's. */
export interface TemplateSymbol {
  readonly kind: TemplateSymbolKind;
  readonly name: string;
  readonly file: ModelFile;
  /** Start of the name in its declaration. */
  readonly start: number;
  readonly end: number;
  /** Offset from which the name is known. */
  readonly from: number;
  readonly to: number;
  /** Its details: the parameters of a macro, the value of a variable, the source of a loop. */
  readonly text: string;
  /** For an import: the template that it names, and the macro in it. */
  readonly source?: ImportSource;
}

/** A use of a name in a template; `behind` is the import before its dot. */
export interface TemplateUse {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly behind?: string | undefined;
  /** What it stands for, where that is known from its statement: a macro that is imported under another name. */
  readonly symbol?: TemplateSymbol | undefined;
  /** For the name of an argument, `f(name=1)`: what is called. */
  readonly called?: { readonly name: string; readonly start: number; readonly behind?: string | undefined } | undefined;
}

/** The names that a file's templates declare and use. */
export interface TemplateNames {
  readonly symbols: readonly TemplateSymbol[];
  readonly uses: readonly TemplateUse[];
}

/** An open block: names declared in it end with it. */
interface Block {
  readonly word: string;
  readonly start: number;
  readonly symbols: { to: number }[];
}

/** Statements that limit the scope of a `set` in them. */
const SCOPES = new Set(['for', 'macro', 'call', 'with', 'block']);

class NameReader {
  readonly #file: ModelFile;
  readonly #symbols: (TemplateSymbol & { to: number })[] = [];
  readonly #uses: TemplateUse[] = [];
  readonly #blocks: Block[] = [];

  constructor(file: ModelFile) {
    this.#file = file;
  }

  read(): TemplateNames {
    for (const { kind, start, end, word } of this.#file.jinja) {
      if (kind === 'comment') continue;
      const base = start + 2;
      const tokens = tokensOf(this.#file.text.slice(base, end - 2)).map((token) => ({
        ...token,
        start: token.start + base,
      }));
      if (kind === 'expression') this.#expression(tokens);
      else this.#statement(word, tokens, start, end);
    }
    return { symbols: this.#symbols, uses: this.#uses };
  }

  #statement(word: string, [, ...tokens]: readonly JinjaToken[], start: number, end: number): void {
    if (word.startsWith('end')) {
      const closed = this.#blocks.pop();
      for (const symbol of closed?.symbols ?? []) symbol.to = start;
      return;
    }
    const isBlock = Object.hasOwn(BLOCKS, word);
    if (word === 'macro') this.#macro(tokens, end);
    if (isBlock) this.#blocks.push({ word, start: end, symbols: [] });
    switch (word) {
      case 'macro':
        return this.#parameters(tokens);
      case 'for':
        return this.#loop(tokens, end);
      case 'call':
        return this.#call(tokens, end);
      case 'set':
        return this.#assignment(tokens, end);
      case 'with':
        return this.#assignments(tokens, end);
      case 'import':
      case 'from':
        return this.#import(word, tokens, end);
      default:
        return this.#expression(tokens);
    }
  }

  #declare(
    kind: TemplateSymbolKind,
    token: JinjaToken,
    from: number,
    text: string,
    source?: TemplateSymbol['source'],
  ): void {
    const { start, text: name } = token;
    const scope = this.#blocks.findLast((block) => kind !== 'variable' || SCOPES.has(block.word));
    const before = this.#symbols.find((each) => each.name === name && each.from <= start && each.to >= start);
    if (kind === 'variable' && before?.kind === 'variable') {
      this.#uses.push({ name, start, end: start + name.length });
      return;
    }
    const symbol = {
      kind,
      name,
      file: this.#file,
      start,
      end: start + name.length,
      from,
      to: this.#file.text.length,
      text: text.trim(),
      ...(source ? { source } : {}),
    };
    this.#symbols.push(symbol);
    scope?.symbols.push(symbol);
  }

  #macro(tokens: readonly JinjaToken[], end: number): void {
    const [name, ...rest] = tokens;
    if (name?.kind !== 'name') return;
    this.#declare('macro', name, this.#blocks.at(-1)?.start ?? 0, this.#textOf(rest, end));
  }

  /** Returns the text of a tag from its first token on, without the end of the tag. */
  #textOf([first]: readonly JinjaToken[], end: number): string {
    return this.#file.text.slice(first?.start ?? end, end - 2).replace(/[-+]?\s*$/, '');
  }

  #parameters(tokens: readonly JinjaToken[]): void {
    const from = this.#blocks.at(-1)?.start ?? 0;
    const defaults: JinjaToken[] = [];
    let previous = '';
    for (const { token, depth } of nested(tokens.slice(1))) {
      if (token.kind === 'name' && depth === 1 && (previous === '(' || previous === ','))
        this.#declare('parameter', token, from, '');
      else defaults.push(token);
      previous = token.text;
    }
    this.#expression(defaults);
  }

  #loop(tokens: readonly JinjaToken[], end: number): void {
    const at = tokens.findIndex(({ text }) => text === 'in');
    const rest = tokens.slice(at + 1);
    // The source of a loop is read outside of the loop, its condition for each item.
    const condition = nested(rest).find(({ token, depth }) => depth === 0 && token.text === 'if');
    this.#expression(rest);
    const text = this.#textOf(rest, end);
    const from = condition?.token.start ?? end;
    for (const token of tokens.slice(0, at === -1 ? 0 : at))
      if (token.kind === 'name') this.#declare('loop variable', token, from, text);
  }

  /** Reads `call(item) each(items)`: what the macro passes is known in the block. */
  #call(tokens: readonly JinjaToken[], end: number): void {
    const close = tokens[0]?.text === '(' ? tokens.findIndex(({ text }) => text === ')') : -1;
    const called = tokens.slice(close + 1);
    this.#expression(called);
    for (const token of tokens.slice(0, close + 1))
      if (token.kind === 'name') this.#declare('parameter', token, end, '');
  }

  #assignment(tokens: readonly JinjaToken[], end: number): void {
    const at = tokens.findIndex(({ text }) => text === '=');
    const [targets, rest] =
      at === -1 ? [tokens.slice(0, 1), tokens.slice(1)] : [tokens.slice(0, at), tokens.slice(at + 1)];
    this.#expression(rest);
    const text = at === -1 ? '' : this.#textOf(rest, end);
    // `ns.x = …` changes the value of a name.
    if (targets.some((token) => token.text === '.')) this.#expression(targets);
    else for (const token of targets) if (token.kind === 'name') this.#declare('variable', token, end, text);
  }

  #assignments(tokens: readonly JinjaToken[], end: number): void {
    const rest: JinjaToken[] = [];
    for (const { token, at, depth } of nested(tokens)) {
      if (depth === 0 && token.kind === 'name' && tokens[at + 1]?.text === '=')
        this.#declare('variable', token, end, '');
      else rest.push(token);
    }
    this.#expression(rest);
  }

  #import(word: string, [path, ...tokens]: readonly JinjaToken[], end: number): void {
    if (path?.kind !== 'text') return;
    const target = path.text.slice(1, -1);
    if (word === 'import') {
      const name = tokens.find(({ kind, text }) => kind === 'name' && text !== 'as');
      if (name) this.#declare('import', name, end, target, { path: target });
      return;
    }
    for (let at = 1; at < tokens.length; at++) {
      const token = tokens[at];
      if (token?.kind !== 'name' || TEMPLATE_WORDS.has(token.text)) continue;
      const alias = tokens[at + 1]?.text === 'as' ? tokens[at + 2] : undefined;
      const source = { path: target, name: token.text, isAlias: alias !== undefined, start: token.start };
      this.#declare('imported macro', alias ?? token, end, target, source);
      const { start, text: name } = token;
      if (alias) this.#uses.push({ name, start, end: start + name.length, symbol: this.#symbols.at(-1) });
      if (alias) at += 2;
    }
  }

  #expression(tokens: readonly JinjaToken[]): void {
    for (const { token, at, depth, open } of nested(tokens)) {
      const isKeyword = depth > 0 && tokens[at + 1]?.text === '=';
      if (token.kind === 'name' && isKeyword) this.#argument(token, tokens, open);
      if (token.kind !== 'name' || isKeyword || TEMPLATE_WORDS.has(token.text) || isWordOfEngine(tokens, at)) continue;
      const isAttribute = tokens[at - 1]?.text === '.';
      const behind = isAttribute ? importBefore(tokens, at) : undefined;
      if (isAttribute && behind === undefined) continue;
      const { text: name, start } = token;
      this.#uses.push({ name, start, end: start + name.length, behind });
    }
  }

  /** Notes the name of an argument; `open`: the index of the bracket around it. */
  #argument({ text: name, start }: JinjaToken, tokens: readonly JinjaToken[], open: number): void {
    const [callee, isAttribute] = [tokens[open - 1], tokens[open - 2]?.text === '.'];
    const behind = isAttribute ? importBefore(tokens, open - 1) : undefined;
    if (callee?.kind !== 'name' || isWordOfEngine(tokens, open - 1) || (isAttribute && !behind)) return;
    this.#uses.push({
      name,
      start,
      end: start + name.length,
      called: { name: callee.text, start: callee.start, behind },
    });
  }
}
