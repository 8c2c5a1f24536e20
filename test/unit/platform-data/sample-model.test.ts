import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openWarehouse } from '#platform/data/warehouse/warehouse.ts';
import type { SemanticQuery } from '#platform/engine/index.ts';
import { realEngine } from '#support/real-engine.ts';
import { sampleModel } from '#support/mounted-apis.ts';

const engine = realEngine();
const folder = mkdtempSync(join(tmpdir(), 'sample-'));
const opened = openWarehouse(join(folder, 'shop.duckdb'), 600);
afterAll(async () => {
  await (await opened).close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

describe('the sample model', () => {
  it('answers every measure by every dimension, and every segment, on the sample warehouse', async () => {
    const warehouse = await opened;
    const files = sampleModel();
    const context = { groups: ['support'] };
    const compiled = await engine.compile(files, context);
    if (!compiled.ok) throw new Error(compiled.errorText);
    const failures: string[] = [];
    let answered = 0;
    const ask = async (query: Partial<SemanticQuery>): Promise<void> => {
      const whole = { measures: [], dimensions: [], timeDimensions: [], filters: [], segments: [], timezone: 'UTC', limit: 3, offset: 0, ...query }; // prettier-ignore
      const sql = await engine.sql(files, whole, context);
      const error = sql.ok
        ? await warehouse.query(sql.value.sql, sql.value.params).then(
            () => undefined,
            (thrown: unknown) => String(thrown),
          )
        : sql.error;
      answered++;
      if (error !== undefined) failures.push(`${JSON.stringify(query)}: ${error}`);
    };
    // A rolling window is the one kind that the engine answers only for a span of time.
    const dateRange = ['2025-01-01T00:00:00.000', '2025-06-30T23:59:59.999'] as const;
    for (const cube of compiled.meta) {
      const measures = cube.measures.map(({ name }) => name);
      const rolling = measures.filter((name) => name.includes('rolling'));
      for (const { name, type } of cube.dimensions) {
        if (type === 'time') {
          const timeDimensions = [{ dimension: name, granularity: 'month', dateRange }];
          for (const measure of measures) await ask({ measures: [measure], timeDimensions });
        } else if (type !== 'geo')
          await ask({ measures: measures.filter((m) => !rolling.includes(m)), dimensions: [name] });
      }
      for (const { name } of cube.segments) await ask({ measures: measures.slice(0, 1), segments: [name] });
    }
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });
});
