import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { sqlRows } from '#api/data/sql-rows.ts';
import { thrown } from '#support/api/client-under-test.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { patientDataClient } from '../../../support/api/patient-client.ts';

/** The rows of SQL whose requests are answered with these bodies in turn, the last one for ever. */
function rowsOf(...bodies: readonly string[]) {
  const clock = new ManualClock();
  let at = 0;
  const client = patientDataClient({
    restUrl: 'https://data.example/cubejs-api/v1',
    credential: () => ({ kind: 'plain', token: 'jwt-1', origin: originOf('https://data.example') }),
    logger: silentLogger,
    clock,
    random: () => 0,
    fetch: () => {
      const body = bodies[Math.min(at, bodies.length - 1)];
      at += 1;
      return Promise.resolve(new Response(body));
    },
  });
  return clock.run(sqlRows(client, 'SELECT a, b FROM orders', {}));
}

const schema = '{"schema":[{"name":"a","column_type":"Int64"},{"name":"b","column_type":"String"}]}';
const rows = [
  { a: '1', b: 'x' },
  { a: '2', b: null },
];

describe('rows of SQL', () => {
  it.each([
    ['with the columns first', [schema, '{"data":[["1","x"],["2",null]]}']],
    ['without a last newline, after blank lines', ['', schema, '', '{"data":[["1","x"],["2",null]]}']],
    ['in the line of the columns', [`${schema.slice(0, -1)},"data":[["1","x"],["2",null]]}`]],
    ['in one document over several lines', ['{', ` ${schema.slice(1, -1)},`, '"data":[["1","x"],["2",null]]', '}']],
    ['in a list of lines', [`[${schema},{"data":[["1","x"],["2",null]]}]`]],
    ['as objects', [schema, '{"data":[{"b":"x","a":"1"},{"a":"2"}]}']],
    ['as objects without columns', ['{"data":[{"a":"1","b":"x"},{"a":"2","b":null}]}']],
    ['with columns that are only names', ['{"schema":["a","b"]}', '{"data":[["1","x"],["2",null]]}']],
    ['with fewer values than columns', [schema, '{"data":[["1","x"],["2"]]}']],
    ['with an error that is null', [schema, '{"data":[["1","x"],["2",null]],"error":null}']],
    ['with batches that are null', [schema, '{"data":null}', '{"data":[["1","x"],["2",null]]}', '{"data":null}']],
    ['with the columns before each batch', [schema, '{"data":[["1","x"]]}', schema, '{"data":[["2",null]]}']],
  ])('are read %s', async (_, lines) => {
    expect(await rowsOf(lines.join('\n'))).toEqual(rows);
  });

  it.each([
    ['more values than columns', [schema, '{"data":[["1","x"],["2","y","z"]]}'], 'data.1'],
    ['values without columns', ['{"data":[["1","x"]]}'], 'schema'],
    ['a column that nothing announced', [schema, '{"data":[{"a":"1","c":"z"}]}'], 'data.0'],
    ['a row that is neither a list nor an object', [schema, '{"data":[["1","x"],"2"]}'], 'data.1'],
    ['a line that is a value', [schema, '["1","x"]'], undefined],
    ['other columns after rows', [schema, '{"data":[["1","x"]]}', '{"schema":[{"name":"c"}]}'], 'schema'],
    ['batches that are a text', [schema, '{"data":"1,x"}'], 'data'],
  ])('are refused and never left out: %s', async (_, lines, field) => {
    const error = await thrown(rowsOf(lines.join('\n')));
    expect(error).toMatchObject({ kind: 'invalidResponse', field });
    expect((error as Error).message).toMatch(/^The answer to the SQL cannot be used: .*the address where queries run/);
  });

  it.each([
    ['{"error":"division by zero"}', 'division by zero'],
    ['{"error":{"message":"division by zero"}}', 'division by zero'],
    ['{"error":{"code":22012}}', undefined],
    ['{"errors":[{"message":"division by zero"}]}', 'division by zero'],
    ['{"type":"error","message":"division by zero"}', 'division by zero'],
    ['{"type":"UserError","message":"division by zero"}', 'division by zero'],
  ])('end with the error of the server, also after rows: %s', async (line, said) => {
    for (const before of [[], [schema], [schema, '{"data":[["1","x"]]}']]) {
      const error = await thrown(rowsOf([...before, line].join('\n')));
      expect(error).toMatchObject({ kind: 'invalidRequest' });
      expect((error as Error).message).toContain(said === undefined ? 'gave no reason' : `“${said}”`);
    }
  });

  it('that are not JSON are explained by the address where queries run', async () => {
    expect(await thrown(rowsOf('OK'))).toMatchObject({
      kind: 'invalidResponse',
      message: expect.stringContaining('the address where queries run may lead elsewhere') as unknown,
    });
  });

  const wait = '{"error":"Continue wait"}';

  it('come once, whenever the server asks to wait before them', async () => {
    const whole = `${schema}\n{"data":[["1","x"],["2",null]]}`;
    expect(await rowsOf(wait, `${schema}\n${wait}`, whole)).toEqual(rows);
  });

  it('end with an error if the server asks to wait after some of them', async () => {
    const error = await thrown(rowsOf(`${schema}\n{"data":[["1","x"]]}\n${wait}`));
    expect(error).toMatchObject({ kind: 'server', retryable: true });
    expect((error as Error).message).toContain('Run it again');
  });

  it('are all there, in whatever form their lines are', async () => {
    const table = fc.array(fc.tuple(fc.string(), fc.option(fc.string())), { maxLength: 12 });
    const form = fc.constantFrom<(a: string, b: string | null) => unknown>(
      (a, b) => [a, b],
      (a, b) => ({ a, b }),
    );
    await fc.assert(
      fc.asyncProperty(table, fc.array(form, { minLength: 12, maxLength: 12 }), async (values, forms) => {
        const lines = values.map(([a, b], at) => JSON.stringify({ data: [forms[at]?.(a, b)] }));
        expect(await rowsOf([schema, ...lines].join('\n'))).toEqual(values.map(([a, b]) => ({ a, b })));
      }),
    );
  });
});
