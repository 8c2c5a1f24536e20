/** Token types, in the order of the legend. */
export const TOKEN_TYPES = [
  'class',
  'interface',
  'property',
  'function',
  'enumMember',
  'variable',
  'keyword',
  'string',
  'number',
  'comment',
  'operator',
] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** A highlighted range, in offsets of its chunk. */
export interface HighlightedRange {
  readonly start: number;
  readonly end: number;
  readonly type: TokenType;
  readonly declaration: boolean;
}
