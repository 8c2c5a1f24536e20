import { qualifiedNames } from './identifiers.ts';
import type { Table } from './table.ts';

/** The tables known to a model. */
export class TableCatalog {
  readonly tables: readonly Table[];
  /** The kind of their database, for example `postgres`, if known. */
  readonly database: string | undefined;
  readonly #byName: ReadonlyMap<string, readonly Table[]>;
  readonly #byRelation: ReadonlyMap<string, readonly Table[]>;

  constructor(tables: readonly Table[], database?: string) {
    this.tables = tables;
    this.database = database;
    this.#byName = Map.groupBy(tables, ({ name }) => name.toLowerCase());
    this.#byRelation = Map.groupBy(tables, ({ relation }) => relation);
  }

  /**
   * Returns the table that SQL refers to by a name, with or without its schema and database; undefined if none or several match,
   * and for anything that is not a name.
   */
  find(relation: string): Table | undefined {
    // Within backticks, a dot can be part of a name.
    const written = this.#byRelation.get(relation.trim()) ?? [];
    if (written.length === 1) return written[0];
    const names = qualifiedNames(relation);
    const same = names && (this.#byName.get(names.at(-1) ?? '') ?? []).filter((table) => isCalled(table, names));
    if (!same || same.length <= 1) return same?.[0];
    const exact = same.filter((table) => qualifiersOf(table).length === names.length);
    // Names that differ in case only stand for one table, unless they are written as one of them.
    const all = exact.length > 0 ? exact : same;
    const isOne = new Set(all.map((table) => qualifiersOf(table).join('\n'))).size === 1;
    return isOne ? all[0] : undefined;
  }
}

/** Checks whether the names that both have are equal, starting from the last one. */
function isCalled(table: Table, names: readonly string[]): boolean {
  const own = qualifiersOf(table);
  const shared = Math.min(own.length, names.length);
  return own.slice(own.length - shared).join('\n') === names.slice(names.length - shared).join('\n');
}

function qualifiersOf({ database, schema, name }: Table): readonly string[] {
  const all = schema === undefined ? [name] : [database, schema, name];
  return all.flatMap((each) => (each === undefined ? [] : [each.toLowerCase()]));
}
