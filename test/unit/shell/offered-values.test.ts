import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listEnvironments, environmentTypes } from '#api/resources/environments.ts';
import type { Operation } from '#api/operation.ts';
import { listReports } from '#api/resources/reports.ts';
import { getLogs } from '#api/resources/runtime.ts';
import { setEmbedAccess } from '#api/resources/workbooks.ts';
import { offeredValues, type ValueLocation } from '#shell/offered-values.ts';
import { reportOrders } from '#features/platform/report-order.ts';

/** A description that lists these values for one parameter. */
function describing(op: Operation, location: ValueLocation, schema: unknown): Readonly<Record<string, unknown>> {
  const [where, name] = Object.entries(location)[0] as [string, string];
  const json = { schema: { $ref: '#/components/schemas/Body' } };
  const own =
    where === 'query'
      ? { parameters: [{ name, in: 'query', schema }] }
      : { requestBody: { content: { 'application/json': json } } };
  const components = { schemas: { Body: { type: 'object', properties: { [name]: schema } } } };
  return {
    openapi: '3.1.0',
    paths: { [op.path]: { [op.method.toLowerCase()]: { operationId: op.id, ...own } } },
    components,
  };
}

const locations: readonly (readonly [Operation, ValueLocation])[] = [
  [listEnvironments, { query: 'type' }],
  [listReports, { query: 'sortBy' }],
  [getLogs, { query: 'container' }],
  [setEmbedAccess, { body: 'action' }],
];

describe('values that are offered', () => {
  it('are those of the description, whatever they are, and ours only where it lists none', () => {
    const values = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.constantFrom(...locations), values, ([op, location], served) => {
        const ours = ['ours'];
        const expected = served.length > 0 ? served : ours;
        for (const schema of [{ enum: served }, { anyOf: [{ enum: served }, { type: 'string' }] }]) {
          expect(offeredValues(describing(op, location, schema), op, location, ours)).toEqual(expected);
        }
        expect(offeredValues(undefined, op, location, ours)).toEqual(ours);
        expect(offeredValues({ paths: {} }, op, location, ours)).toEqual(ours);
      }),
    );
  });

  it('have words where we know them, and their own name otherwise', () => {
    const description = describing(listReports, { query: 'sortBy' }, { enum: ['popularity', 'name'] });
    expect(reportOrders(description).map(({ label }) => label)).toEqual([
      'the platform’s order',
      'by name',
      'popularity',
    ]);
    expect(reportOrders(undefined)).toHaveLength(5);
  });
});

/** Documented enumerations that a server may extend: a picker that uses one has to ask the description. */
const enumerations = filesIn('src/api').flatMap((path) =>
  [...read(path).matchAll(/^export const (\w+) = \[\s*'[^\]]*\] as const;/gm)].map(([, name]) => name ?? ''),
);

/** Uses of an enumeration of ours as a value, without the description. Types and imports are not uses. */
function unasked(source: string): readonly string[] {
  // Behind a function of the file that asks.
  const code = source.replaceAll(/^import[^;]*;/gm, '').replaceAll(/\(typeof \w+\)/g, '');
  return enumerations.filter((name) => {
    const uses = code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
    const asked = code.match(new RegExp(`offered(?:Values)?\\([^;]*?\\b${name}\\b`, 'g'))?.length ?? 0;
    return uses > asked;
  });
}

/** Files that ask the description in a way of their own. */
const ownWay = new Set(['src/features/deployments/create-choices.ts']);

describe('an enumeration of ours', () => {
  const files = ['src/compose', 'src/features', 'src/shell'].flatMap(filesIn);

  it('is offered nowhere without the description of the server', () => {
    expect(enumerations).toEqual(
      expect.arrayContaining(['environmentTypes', 'reportSorts', 'logSources', 'deployModes']),
    );
    const found = files
      .filter((path) => !ownWay.has(path.replaceAll('\\', '/')))
      .flatMap((path) => unasked(read(path)).map((name) => `${path}: ${name}`));
    expect(found).toEqual([]);
  });

  it('that is offered so would be found', () => {
    expect(unasked(`const items = environmentTypes.map((type) => type);`)).toEqual(['environmentTypes']);
    expect(unasked(`const types = offeredValues(served, op, { query: 'type' }, environmentTypes);`)).toEqual([]);
    expect(unasked(`const modes = named(deployModes, words);`)).toEqual(['deployModes']);
    expect(unasked(`type Type = (typeof environmentTypes)[number];`)).toEqual([]);
    expect(environmentTypes.length).toBeGreaterThan(0);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
