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

/** The tables in a file; `problem` is a sentence for the user about a file that has none. */
export type TablesRead = { readonly tables: readonly Table[]; readonly database?: string | undefined } | TablesProblem;
export interface TablesProblem {
  readonly problem: string;
}

/** Limits: further tables of a file, and further columns of a table, are omitted. */
export const MOST_TABLES = 20_000;
export const MOST_COLUMNS = 2_000;
/** Maximum length of a file that is read, in characters; in bytes if the size is known beforehand. */
export const LONGEST_TABLES = 64_000_000;
