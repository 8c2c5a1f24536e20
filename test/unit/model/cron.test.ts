import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCron } from '#model/checks/cron.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';

/** Returns which of the texts the engine accepts as the interval of a refresh key, by a model with a cube for each of them. */
async function accepted(texts: readonly string[]): Promise<readonly string[]> {
  const cubes = texts.map(
    (text, at) => `  - {name: c${at}, sql_table: t, refresh_key: {every: ${JSON.stringify(text)}}}`,
  );
  const content = ['cubes:', ...cubes, ''].join('\n');
  const refusals = await (await matrixEngine()).compile([{ fileName: 'm.yml', content }]);
  const refused = new Set(refusals.map(({ message }) => /^(c\d+) cube: /.exec(message)?.[1]));
  return texts.filter((_, at) => !refused.has(`c${at}`));
}

describe('a cron expression', () => {
  // @shows no-false-errors, errors-of-the-engine
  it('is what the engine takes for one', async () => {
    const texts = [
      ...['* * * * *', '0 0 * * *', '* * * * * *', '* * * *', '*', '0', '  ', '@daily', '@hourly', '@annually', '@foo'],
      ...[' @daily', '* * * * * * *', '60 * * * *', '0 24 * * *', '0 0 0 * *', '0 0 32 * *', '0 0 1 13 *', '0 0 * * 8'],
      ...[
        '*/5 * * * *',
        '*/90 * * * *',
        '*/0 * * * *',
        '5/10 * * * *',
        '/5 * * * *',
        '1-5',
        '5-1',
        '1-',
        '-1',
        '-0',
        '-',
      ],
      ...[
        '1,2',
        '1,,2',
        ',',
        '1/2/3',
        '0 0 L * *',
        '0 0 1W * *',
        '0 0 ? * ?',
        '0 0 * * 5L',
        '0 0 * * 1#2',
        '0 0 * * 1#6',
      ],
      ...[
        '0 0 * * 1#2#3',
        '0 0 * * 1,2#3',
        '0 0 * * #2',
        'MON',
        'mon-fri',
        'SUNDAY',
        '0 0 * JAN *',
        'JAN',
        '0 0 31 2 *',
      ],
      ...[
        '0 0 31 4 *',
        '0 0 31 2,3 *',
        '0 0 30-31 2 *',
        '0 0 31 */20 *',
        '0 0 L 2 *',
        'H * * * *',
        'a',
        '1 d',
        '1-2-3 * *',
      ],
    ];
    expect(texts.filter(isCron)).toEqual(await accepted(texts));
  });

  // @shows no-false-errors, errors-of-the-engine
  it('is judged as by the engine, whatever its fields are', async () => {
    const atom = fc.oneof(
      fc.nat({ max: 63 }).map(String),
      fc.constantFrom('*', '?', 'L', '*/2', '1-5', '5-1', 'mon', 'JAN', 'xyz', '-', '#', '/', '1#2', '2-6/2', '3/4'),
    );
    const field = fc.array(atom, { minLength: 1, maxLength: 2 }).map((atoms) => atoms.join(','));
    const text = fc.array(field, { minLength: 1, maxLength: 7 }).map((fields) => fields.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 60, maxLength: 60 }), async (texts) => {
        expect(texts.filter(isCron)).toEqual(await accepted(texts));
      }),
      { numRuns: 5 },
    );
  });
});
