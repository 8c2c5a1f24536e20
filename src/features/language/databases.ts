/** A database that SQL is written for. */
export interface Database {
  /** As users know it. */
  readonly name: string;
  /** The dialect of the engine that comes nearest. */
  readonly dialect: string;
  /** The engine has this very dialect. */
  readonly isExact: boolean;
}

/** Types of `CUBEJS_DB_TYPE` that the engine itself writes SQL for, with their names. */
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

/** Types whose dialect comes with a driver that is not here, with the nearest one that is. */
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

/** The database of a `CUBEJS_DB_TYPE`; undefined for one that is not known here. */
export function databaseOfType(type: string): Database | undefined {
  const own = type.trim().toLowerCase();
  if (Object.hasOwn(exact, own)) return { name: exact[own] ?? own, dialect: own, isExact: true };
  const [name, dialect] = Object.hasOwn(near, own) ? (near[own] ?? []) : [];
  return name === undefined || dialect === undefined ? undefined : { name, dialect, isExact: false };
}

/** The value of `CUBEJS_DB_TYPE` in the text of a `.env` file. */
export function databaseTypeIn(text: string): string | undefined {
  return /^[ \t]*(?:export[ \t]+)?CUBEJS_DB_TYPE[ \t]*=[ \t]*["']?([\w-]+)/m.exec(text)?.[1];
}

/** The dialect where no database is known. */
export const defaultDialect = 'postgres';
