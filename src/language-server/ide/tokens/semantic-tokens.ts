import { append } from '#base/long-lists.ts';
import {
  type Position,
  type Range,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensLegend,
} from 'vscode-languageserver';
import type { PlacedChunk } from '#model/file.ts';
import { ChunkNotes } from '#model/chunk.ts';
import type { ModelIndex } from '#model/index.ts';
import { resolve } from '#model/resolve.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import type { ScalarNode } from '#model/syntax/tree.ts';
import { walkEntity } from '#model/typed.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { sqlTokens } from './sql-tokens.ts';
import { type HighlightedRange, TOKEN_TYPES, type TokenType } from './tokens.ts';

export const legend: SemanticTokensLegend = {
  tokenTypes: [...TOKEN_TYPES],
  tokenModifiers: ['declaration', 'readonly'],
};

/**
 * The count of numbers per token in the protocol: line, character (both relative to the token before), length, type, modifiers.
 */
const STRIDE = 5;

/**
 * The tokens of a chunk as the protocol encodes them: the first one relative to line 0, character 0 of the chunk's first line.
 */
export interface EncodedChunk {
  readonly data: Int32Array;
  /** The line of the last token, relative to the chunk's first line. */
  readonly lastLine: number;
  readonly lastCharacter: number;
}

interface Known extends EncodedChunk {
  readonly index: ModelIndex;
  readonly structure: number;
  readonly character: number;
}

const encoded = new ChunkNotes<Known>();

/**
 * Returns the tokens of names that a chunk defines or uses, and of the SQL inside `sql:`. `first` is the start of the chunk. The
 * result is cached as long as the chunk is the same and nothing that it can refer to changes.
 */
export function encodedChunk(
  { start, chunk }: PlacedChunk,
  first: Position,
  { root: { index }, positions }: Opened,
): EncodedChunk {
  const known = encoded.get(chunk);
  const { structure } = index;
  if (known?.index === index && known.structure === structure && known.character === first.character) return known;
  const tokens = symbolsOf(chunk).flatMap((entity) => entityTokens(entity, index));
  tokens.sort((a, b) => a.start - b.start || a.end - b.end);
  const data: number[] = [];
  let last = 0;
  let { line } = first;
  let character = 0;
  for (const token of tokens) {
    if (token.start < last) continue;
    last = token.end;
    const at = positions.positionAt(start + token.start);
    data.push(at.line - line, at.line === line ? at.character - character : at.character);
    data.push(token.end - token.start, TOKEN_TYPES.indexOf(token.type), token.declaration ? 1 : 0);
    ({ line, character } = at);
  }
  const made: Known = {
    data: Int32Array.from(data),
    lastLine: line - first.line,
    lastCharacter: character,
    index,
    structure,
    character: first.character,
  };
  encoded.set(chunk, made);
  return made;
}

/** Returns the tokens that start in a range. */
export function tokensIn(opened: Opened, { start, end }: Range): SemanticTokens {
  const from = opened.positions.offsetAt(start);
  const to = opened.positions.offsetAt(end);
  const builder = new SemanticTokensBuilder();
  for (const placed of opened.file.chunks) {
    if (placed.start > to || placed.start + placed.chunk.text.length < from) continue;
    const first = opened.positions.positionAt(placed.start);
    const { data } = encodedChunk(placed, first, opened);
    let { line } = first;
    let character = 0;
    for (let at = 0; at < data.length; at += STRIDE) {
      const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.subarray(at, at + STRIDE);
      line += lines;
      character = lines === 0 ? character + characters : characters;
      if (isBefore(line, character, start)) continue;
      if (isBefore(end.line, end.character, { line, character })) break;
      builder.push(line, character, length, type, modifiers);
    }
  }
  return builder.build();
}

function isBefore(line: number, character: number, other: Position): boolean {
  return line < other.line || (line === other.line && character < other.character);
}

function entityTokens(entity: EntitySymbol, index: Opened['root']['index']): HighlightedRange[] {
  const tokens: HighlightedRange[] = [];
  const declare = (node: ScalarNode | undefined, type: TokenType): void => {
    if (!node || node.style === 'block' || node.value === '') return;
    const inset = node.style === 'plain' || node.style === 'code' ? 0 : 1;
    tokens.push({ start: node.start + inset, end: node.end - inset, type, declaration: true });
  };
  declare(entity.nameNode, entity.kind === 'cube' ? 'class' : 'interface');
  for (const { nameNode, kind } of entity.members.values())
    declare(nameNode, kind === 'measure' ? 'function' : 'property');
  for (const reference of entity.references) {
    const { referents } = resolve(reference, entity, index);
    for (const [at, { start, end, text }] of reference.segments.entries()) {
      const referent = referents[at];
      if (referent && text !== '') tokens.push({ start, end, type: typeOf(referent), declaration: false });
    }
  }
  if (entity.chunk.kind !== 'script') {
    walkEntity(entity.entity, ({ node, type }) => {
      if (type.is === 'sql' && node.kind === 'scalar') append(tokens, sqlTokens(entity.chunk.text, node));
      return true;
    });
  }
  return tokens;
}

function typeOf(referent: ReturnType<typeof resolve>['referents'][number]): TokenType {
  switch (referent.is) {
    case 'self':
      return 'variable';
    case 'context':
      return 'variable';
    case 'entity':
      return referent.entity.kind === 'cube' ? 'class' : 'interface';
    case 'member':
      return referent.member.kind === 'measure' ? 'function' : 'property';
    case 'granularity':
      return 'enumMember';
    default:
      return referent;
  }
}
