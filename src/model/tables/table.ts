/** A column of a table in the database. */
export interface TableColumn {
  readonly name: string;
  /** As the database names it, for example `character varying(20)`. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** Whether its values are known to be unique and never null. */
  readonly isKey?: boolean | undefined;
  /** Whether it is declared as the primary key, or as one of its columns. */
  readonly isPrimaryKey?: boolean | undefined;
  /** Whether its name is written in quotes. */
  readonly isQuoted?: boolean | undefined;
}

/** A table or view of the database. */
export interface Table {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  readonly name: string;
  /** Its name in SQL, including quotes. */
  readonly relation: string;
  readonly description?: string | undefined;
  readonly columns: readonly TableColumn[];
}

/** The tables in a file. */
export interface TablesOfFile<T extends Table = Table> {
  readonly tables: readonly T[];
  /** The kind of their database, if the file says so. */
  readonly database?: string | undefined;
}
/** The tables in a file, or why it has none. */
export type TablesRead<T extends Table = Table> = TablesOfFile<T> | TablesProblem;
/** A phrase for the user about a file that is not read. */
export interface TablesProblem {
  readonly problem: string;
}

/** Returns the columns without those whose name an earlier one has; names that differ in case are different. */
export function distinctColumns(columns: readonly TableColumn[]): readonly TableColumn[] {
  const byName = new Map<string, TableColumn>();
  for (const column of columns) if (!byName.has(column.name)) byName.set(column.name, column);
  return [...byName.values()];
}

/** Limits: further tables of a file, and further columns of a table, are omitted. */
export const MOST_TABLES = 20_000;
export const MOST_COLUMNS = 2_000;
/** Maximum length of a file that is read, in characters; in bytes if the size is known beforehand. */
export const LONGEST_TABLES = 64_000_000;
