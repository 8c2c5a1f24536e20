import { capitalized } from '#base/words.ts';
import type { Reference } from '../references.ts';
import type { Unknown } from '../resolve.ts';
import type { EntitySymbol } from '../symbols.ts';
import { quotedEntity } from './quoted-value.ts';

/** Returns the message about a name that leads nowhere; `guess` is a name that was probably meant. */
export function unknownNameMessage(
  name: string,
  kind: Unknown['kind'],
  within: EntitySymbol | undefined,
  entity: EntitySymbol,
  guess: string | undefined,
  { key, shape }: Pick<Reference, 'key' | 'shape'>,
): string {
  const hint = guess === undefined ? hintOfLink(key, shape) : ` Did you mean \`${guess}\`?`;
  switch (kind) {
    case 'cube':
      return `There is no cube \`${name}\`.${hint}`;
    case 'view':
      return `There is no view \`${name}\`.${hint}`;
    case 'group':
      return `There is no view group \`${name}\`.${hint}`;
    case 'granularity':
      return `\`${name}\` is not a granularity here.${hint}`;
    case 'member':
    case 'tail':
      return `${capitalized(quotedEntity(within ?? entity))} has no member \`${name}\`.${hint}`;
    case 'head':
      return key === 'extends'
        ? `There is no cube \`${name}\`.${hint}`
        : `\`${name}\` is neither a cube nor a member of ${quotedEntity(entity)}.${hint}`;
    case 'preAggregation':
      return `\`${name}\` is neither a cube nor a member of ${quotedEntity(entity)}.${hint}`;
    default:
      return kind;
  }
}

/** The engine reads the address of a link as an expression, which is easily taken for SQL. */
function hintOfLink(key: string, shape: string): string {
  const isSql = (shape === 'link' && key === 'url') || (shape === 'linkParam' && key === 'value');
  return isSql ? ` To write SQL here, use an f-string: \`"f\\"'https://x/' || {CUBE.id}\\""\`.` : '';
}
