import { type Range, type SemanticTokensLegend, type SemanticTokensBuilder } from 'vscode-languageserver';
import { resolve } from '#model/resolve.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import type { ScalarNode } from '#model/syntax/tree.ts';
import { walkEntity } from '#model/typed.ts';
import type { Opened } from '../workspace.ts';
import { sqlTokens } from './sql-tokens.ts';
import { type Token, TOKEN_TYPES, type TokenType } from './tokens.ts';

export const legend: SemanticTokensLegend = {
  tokenTypes: [...TOKEN_TYPES],
  tokenModifiers: ['declaration', 'readonly'],
};

/** Tokens of a file or of a range of it: names that are defined or used, and the SQL inside `sql:`. */
export function semanticTokens({ file, root, positions }: Opened, builder: SemanticTokensBuilder, range?: Range): void {
  const from = range ? positions.offsetAt(range.start) : 0;
  const to = range ? positions.offsetAt(range.end) : file.text.length;
  for (const { part, start } of file.parts) {
    if (start > to || start + part.text.length < from) continue;
    const tokens = symbolsOf(part).flatMap((entity) => entityTokens(entity, root.index));
    tokens.sort((a, b) => a.start - b.start || a.end - b.end);
    let last = 0;
    for (const token of tokens) {
      const at = start + token.start;
      if (token.start < last || at < from || at > to) continue;
      last = token.end;
      const { line, character } = positions.positionAt(at);
      builder.push(
        line,
        character,
        token.end - token.start,
        TOKEN_TYPES.indexOf(token.type),
        token.declaration ? 1 : 0,
      );
    }
  }
}

function entityTokens(entity: EntitySymbol, index: Opened['root']['index']): Token[] {
  const tokens: Token[] = [];
  const declare = (node: ScalarNode | undefined, type: TokenType): void => {
    if (!node || node.style === 'block' || node.value === '') return;
    const inset = node.style === 'plain' || node.style === 'code' ? 0 : 1;
    tokens.push({ start: node.start + inset, end: node.end - inset, type, declaration: true });
  };
  declare(entity.nameNode, entity.kind === 'cube' ? 'class' : 'interface');
  for (const { nameNode, kind } of entity.members.values())
    declare(nameNode, kind === 'measure' ? 'function' : 'property');
  for (const reference of entity.references) {
    const { meanings } = resolve(reference, entity, index);
    for (const [at, { start, end, text }] of reference.segments.entries()) {
      const meaning = meanings[at];
      if (meaning && text !== '') tokens.push({ start, end, type: typeOf(meaning), declaration: false });
    }
  }
  if (entity.part.kind !== 'script') {
    walkEntity(entity.entity, ({ node, type }) => {
      if (type.is === 'sql' && node.kind === 'scalar') tokens.push(...sqlTokens(entity.part.text, node));
      return true;
    });
  }
  return tokens;
}

function typeOf(meaning: ReturnType<typeof resolve>['meanings'][number]): TokenType {
  switch (meaning.is) {
    case 'self':
      return 'variable';
    case 'context':
      return 'variable';
    case 'entity':
      return meaning.entity.kind === 'cube' ? 'class' : 'interface';
    case 'member':
      return meaning.member.kind === 'measure' ? 'function' : 'property';
    case 'granularity':
      return 'enumMember';
    default:
      return meaning;
  }
}
