import { extendedParent } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import type { EntitySymbol } from '../symbols.ts';
import type { Table } from './table.ts';
import type { TableCatalog } from './table-catalog.ts';

/** A query of all columns of one table, without its conditions. */
const ALL_OF_TABLE = /^\s*select\s+\*\s+from\s+(\S[^;]*);?\s*$/i;
/** How many `extends` to follow. */
const MOST_PARENTS = 10;

/** Returns the table whose rows a cube has, own or inherited; undefined if that is uncertain. */
export function tableOfCube(cube: EntitySymbol, index: ModelIndex, catalog: TableCatalog): Table | undefined {
  let at: EntitySymbol | undefined = cube;
  for (let count = 0; at?.kind === 'cube' && !at.dynamic && count < MOST_PARENTS; count++) {
    const relation: string | undefined = at.text('sql_table', 'sqlTable');
    if (relation !== undefined) return catalog.find(relation);
    const query: string | undefined = at.text('sql');
    if (query !== undefined)
      return catalog.find(ALL_OF_TABLE.exec(query.split(/\swhere\b/i, 1)[0] ?? '')?.[1]?.trimEnd() ?? '');
    at = extendedParent(at, index);
  }
  return undefined;
}
