import { KEYWORDS } from '../sql/completion-words.ts';

/** Databases that quote names with backticks. */
const BACKTICKS = new Set(['bigquery', 'mysql', 'spark', 'databricks', 'hive', 'athena', 'clickhouse']);
/** Databases that fold an unquoted name to lower case. */
const LOWER = new Set(['postgres', 'redshift']);
/** Databases that ignore the case of a column's name or preserve it as written. */
const ANY_CASE = new Set(['bigquery', 'mysql', 'spark', 'databricks', 'duckdb', 'clickhouse', 'sqlserver', 'mssql']);
/** Databases that fold an unquoted name to upper case. */
const UPPER = new Set(['snowflake', 'oracle']);
const RESERVED = new Set(KEYWORDS.map((word) => word.toLowerCase()));

/** Returns a name for SQL, quoted if the database, if known, would read it differently without quotes. */
export function identifier(name: string, database?: string): string {
  return needsQuotes(name, database) ? quotedIdentifier(name, database) : name;
}

/**
 * Whether a name that is spelt as in the database needs quotes there, because the database would read it in upper case. Elsewhere
 * a name in lower case may stand for that.
 */
export function isLowerInUpper(name: string, database: string | undefined): boolean {
  return database !== undefined && UPPER.has(database) && name !== name.toUpperCase();
}

/** Returns a name in the quotes of the database, or of standard SQL if it is unknown. */
export function quotedIdentifier(name: string, database?: string): string {
  const quote = database !== undefined && BACKTICKS.has(database) ? '`' : '"';
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}

function needsQuotes(name: string, database = ''): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name) || RESERVED.has(name.toLowerCase())) return true;
  const isLower = name === name.toLowerCase();
  if (isLower || ANY_CASE.has(database)) return false;
  return LOWER.has(database) || name !== name.toUpperCase();
}

/** Returns the names in a qualified one, without quotes and in lower case; undefined for anything else, such as a query. */
export function qualifiedNames(relation: string): readonly string[] | undefined {
  const text = relation.trim();
  // BigQuery also accepts backticks around the whole name.
  const inside = /^`([^`]+)`$/.exec(text)?.[1];
  if (inside !== undefined) return /[\s"{}]/.test(inside) ? undefined : inside.toLowerCase().split('.');
  const names: string[] = [];
  const name = /(?:"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|\[([^\]]+)\]|([\p{L}_][\p{L}\p{N}_$-]*))(\.|$)/uy;
  while (name.lastIndex < text.length) {
    const found = name.exec(text);
    if (!found) return undefined;
    const [, double, backtick, bracket, plain, end] = found;
    names.push(
      (double?.replaceAll('""', '"') ?? backtick?.replaceAll('``', '`') ?? bracket ?? plain ?? '').toLowerCase(),
    );
    if (end === '') return names;
  }
  return undefined;
}
