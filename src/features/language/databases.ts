/** A database for which SQL is generated. */
export interface Database {
  /** The name that users know. */
  readonly name: string;
  /** The closest dialect of the engine. */
  readonly dialect: string;
  /** Whether the engine has exactly this dialect. */
  readonly isExact: boolean;
}

/** Types of `CUBEJS_DB_TYPE` for which the engine itself generates SQL, with their names. */
const exact: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  redshift: 'Redshift',
  mysql: 'MySQL',
  mysqlauroraserverless: 'MySQL (Aurora)',
  mongobi: 'MongoDB BI',
  mssql: 'SQL Server',
  bigquery: 'BigQuery',
  prestodb: 'Presto',
  athena: 'Athena',
  trino: 'Trino',
  vertica: 'Vertica',
  snowflake: 'Snowflake',
  clickhouse: 'ClickHouse',
  crate: 'CrateDB',
  hive: 'Hive',
  oracle: 'Oracle',
  sqlite: 'SQLite',
  materialize: 'Materialize',
  cubestore: 'Cube Store',
};

/** Types whose dialect comes with a driver that is not available here, with the closest dialect that is. */
const near: Readonly<Record<string, readonly [name: string, dialect: string]>> = {
  duckdb: ['DuckDB', 'postgres'],
  'databricks-jdbc': ['Databricks', 'hive'],
  firebolt: ['Firebolt', 'postgres'],
  questdb: ['QuestDB', 'postgres'],
  pinot: ['Pinot', 'trino'],
  druid: ['Druid', 'postgres'],
  dremio: ['Dremio', 'postgres'],
  ksql: ['ksqlDB', 'postgres'],
};

/** Returns the database of a `CUBEJS_DB_TYPE`; `undefined` for an unknown type. */
export function databaseOfType(type: string): Database | undefined {
  const own = type.trim().toLowerCase();
  if (Object.hasOwn(exact, own)) return { name: exact[own] ?? own, dialect: own, isExact: true };
  const [name, dialect] = Object.hasOwn(near, own) ? (near[own] ?? []) : [];
  return name === undefined || dialect === undefined ? undefined : { name, dialect, isExact: false };
}

/** Returns the value of `CUBEJS_DB_TYPE` in the text of a `.env` file. */
export function databaseTypeIn(text: string): string | undefined {
  return /^[ \t]*(?:export[ \t]+)?CUBEJS_DB_TYPE[ \t]*=[ \t]*["']?([\w-]+)/m.exec(text)?.[1];
}

/** The dialect to use if the database is unknown. */
export const defaultDialect = 'postgres';
