import type { EngineDimension, EngineQueryClass, SchemaCompiler } from './schema-compiler.ts';

/**
 * The engine's query builder speaking DuckDB. The warehouse keeps times as `TIMESTAMP` in UTC, so comparisons need no
 * time zone at all and a query in UTC needs no conversion.
 */
export function createDuckDbQueryClass(engine: SchemaCompiler): EngineQueryClass {
  /** Pre-aggregations are parsed and checked, but the local warehouse answers from its tables: nothing ever matches. */
  class NoPreAggregations extends engine.PreAggregations {
    findPreAggregationForQuery(): undefined {
      return undefined;
    }

    findPreAggregationToUseForCube(): undefined {
      return undefined;
    }
  }
  return class DuckDbQuery extends engine.BaseQuery {
    newPreAggregations(): object {
      return new NoPreAggregations(...([this, []] as never[]));
    }

    /** A boolean dimension is often a comparison, and DuckDB does not chain those (`a = 'x' = true`). */
    override dimensionSql(dimension: EngineDimension): string {
      const sql = super.dimensionSql(dimension);
      return dimension.definition().type === 'boolean' ? `(${sql})` : sql;
    }

    convertTz(field: string): string {
      if (this.timezone === 'UTC') return `(${field})::TIMESTAMP`;
      return `timezone('${this.timezone}', timezone('UTC', (${field})::TIMESTAMP))`;
    }

    timeGroupedColumn(granularity: string, dimension: string): string {
      return `date_trunc('${granularity}', ${dimension})`;
    }

    /** Buckets of any length counted from an origin; months are not a fixed number of seconds, so they count apart. */
    dateBin(interval: string, source: string, origin: string): string {
      return `time_bucket(INTERVAL '${interval}', (${source})::TIMESTAMP, TIMESTAMP '${origin}')`;
    }

    timeStampCast(value: string): string {
      return `(${value})::TIMESTAMP`;
    }

    dateTimeCast(value: string): string {
      return `(${value})::TIMESTAMP`;
    }

    nowTimestampSql(): string {
      return `timezone('UTC', now())`;
    }

    countDistinctApprox(sql: string): string {
      return `approx_count_distinct(${sql})`;
    }

    castToString(sql: string): string {
      return `CAST(${sql} AS VARCHAR)`;
    }

    urlEncode(sql: string): string {
      return `url_encode(CAST(${sql} AS VARCHAR))`;
    }
  };
}
