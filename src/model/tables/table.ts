/** A column of a table in the database. */
export interface TableColumn {
  readonly name: string;
  /** As the database calls it, for example `character varying(20)`. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** Its values are known to be unique and never missing. */
  readonly isKey?: boolean | undefined;
  /** Its name is written in quotes. */
  readonly isQuoted?: boolean | undefined;
}

/** A table or view of the database. */
export interface Table {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  readonly name: string;
  /** How SQL names it, quotes included. */
  readonly relation: string;
  readonly description?: string | undefined;
  readonly columns: readonly TableColumn[];
}

/** What a file says of tables; `problem` is a sentence for the user about a file that says nothing. */
export type TablesRead = { readonly tables: readonly Table[]; readonly database?: string | undefined } | TablesProblem;
export interface TablesProblem {
  readonly problem: string;
}

/** Further tables of a file, and further columns of a table, are left out. */
export const MOST_TABLES = 20_000;
export const MOST_COLUMNS = 2_000;
/** Longest file that is read, in characters; bytes where the size is known before. */
export const LONGEST_TABLES = 64_000_000;
