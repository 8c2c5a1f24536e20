/** Keywords of SQL expressions that every database has. */
export const KEYWORDS: readonly string[] = (
  'AND AS ASC BETWEEN BY CASE DESC DISTINCT ELSE END EXISTS FALSE FROM GROUP HAVING IN IS JOIN LEFT LIKE LIMIT NOT NULL ON OR ' +
  'ORDER OVER PARTITION SELECT THEN TRUE UNION USING WHEN WHERE WITH'
).split(' ');

/** Keywords that an expression on a row can contain. */
const IN_EXPRESSIONS =
  'AND AS BETWEEN CASE DISTINCT ELSE END FALSE IN IS LIKE NOT NULL OR THEN TRUE WHEN CURRENT_DATE CURRENT_TIMESTAMP'.split(
    ' ',
  );

/** Functions that every major database has, with their parameters. */
const FUNCTIONS = [
  'ABS(x)',
  'AVG(x)',
  'CAST(x AS type)',
  'CEIL(x)',
  'COALESCE(x, y)',
  'CONCAT(x, y)',
  'COUNT(x)',
  'EXTRACT(part FROM x)',
  'FLOOR(x)',
  'LOWER(text)',
  'MAX(x)',
  'MIN(x)',
  'NULLIF(x, y)',
  'REPLACE(text, from, to)',
  'ROUND(x, digits)',
  'SUBSTRING(text, start, length)',
  'SUM(x)',
  'TRIM(text)',
  'UPPER(text)',
];

/** Functions of one kind of database, as dbt and the platform call it. */
const OWN_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    "DATE_TRUNC('month', x)",
    "TO_CHAR(x, 'YYYY-MM')",
    "STRING_AGG(x, ',')",
    'JSONB_EXTRACT_PATH_TEXT(x, path)',
  ],
  redshift: ["DATE_TRUNC('month', x)", "DATEDIFF('day', x, y)", "DATEADD('day', n, x)", "LISTAGG(x, ',')", 'NVL(x, y)'],
  snowflake: [
    "DATE_TRUNC('month', x)",
    "DATEDIFF('day', x, y)",
    "DATEADD('day', n, x)",
    'IFF(condition, x, y)',
    "LISTAGG(x, ',')",
    'TRY_CAST(x AS type)',
    'ZEROIFNULL(x)',
  ],
  bigquery: [
    'DATE_TRUNC(x, MONTH)',
    'TIMESTAMP_TRUNC(x, MONTH)',
    'DATE_DIFF(x, y, DAY)',
    'IF(condition, x, y)',
    'IFNULL(x, y)',
    'SAFE_CAST(x AS type)',
    'SAFE_DIVIDE(x, y)',
  ],
  databricks: ["DATE_TRUNC('month', x)", 'DATEDIFF(x, y)', 'IF(condition, x, y)', 'NVL(x, y)', 'TRY_CAST(x AS type)'],
  mysql: ["DATE_FORMAT(x, '%Y-%m')", 'DATEDIFF(x, y)', 'IF(condition, x, y)', 'IFNULL(x, y)', 'GROUP_CONCAT(x)'],
  clickhouse: [
    'toStartOfMonth(x)',
    "dateDiff('day', x, y)",
    'if(condition, x, y)',
    'ifNull(x, y)',
    'toDate(x)',
    'uniq(x)',
  ],
  duckdb: [
    "DATE_TRUNC('month', x)",
    "DATE_DIFF('day', x, y)",
    "STRING_AGG(x, ',')",
    'TRY_CAST(x AS type)',
    'IFNULL(x, y)',
  ],
  trino: ["DATE_TRUNC('month', x)", "DATE_DIFF('day', x, y)", 'IF(condition, x, y)', 'TRY_CAST(x AS type)'],
};
const SAME: Readonly<Record<string, string>> = {
  postgresql: 'postgres',
  spark: 'databricks',
  'databricks-jdbc': 'databricks',
  athena: 'trino',
  presto: 'trino',
  prestodb: 'trino',
};

/** A function of SQL and its signature. */
export interface SqlFunction {
  readonly name: string;
  /** For example `ROUND(x, digits)`. */
  readonly signature: string;
}

/**
 * Returns the vocabulary of a member's SQL: keywords, and the functions of the database or, if it is unknown, of all databases.
 */
export function sqlWords(database?: string): {
  readonly words: readonly string[];
  readonly functions: readonly SqlFunction[];
} {
  const type = database === undefined ? '' : Object.hasOwn(SAME, database) ? (SAME[database] ?? '') : database;
  const own = Object.hasOwn(OWN_FUNCTIONS, type) ? (OWN_FUNCTIONS[type] ?? []) : [];
  const functions = [...FUNCTIONS, ...own].map((signature) => ({
    signature,
    name: signature.slice(0, signature.indexOf('(')),
  }));
  return { words: IN_EXPRESSIONS, functions };
}
