import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { queryShapes } from '#model/query-files/shapes.ts';
import { dashboardSchemaPath, dashboardSchemaText } from '../../../tools/dashboard-schema.ts';

it('holds the JSON Schema of the client’s own checks (node test/tools/dashboard-schema.ts)', () => {
  expect(readFileSync(dashboardSchemaPath, 'utf8')).toBe(dashboardSchemaText());
});

it('says every constraint of docs/platform-api.md#dashboard-configuration', () => {
  const whole = nullable({ type: 'integer' });
  const widget = {
    required: ['id', 'type', 'position'],
    additionalProperties: false,
    properties: has({
      id: has({ minLength: 1, maxLength: 128 }),
      type: has({
        enum: ['CHART', 'TEXT', 'FILTER', 'AI', 'TIME_GRAIN', 'SPACER', 'DIVIDER', 'CONTAINER'],
      }),
      position: has({ required: ['x', 'y', 'w', 'h'], additionalProperties: false }),
    }),
  };
  expect(JSON.parse(dashboardSchemaText())).toMatchObject({
    additionalProperties: false,
    properties: {
      app: nullable({ properties: has({ entry: nullable({ type: 'string', maxLength: 255 }) }) }),
      kind: nullable({ enum: ['CLASSIC', 'APP'] }),
      layout: nullable({
        properties: has({ rowHeight: whole, margin: nullable({ type: 'array' }) }),
      }),
      widgets: nullable({ items: has(widget) }),
    },
  });
});

it('offers the keys of queries in the config of widgets, and accepts every config', () => {
  const schema = JSON.parse(dashboardSchemaText()) as { readonly definitions: Readonly<Record<string, object>> };
  const keys = Object.entries(schema.definitions).map(([name, shape]) => [
    name,
    'properties' in shape ? Object.keys(shape.properties as object) : [],
  ]);
  const { query, timeDimension, filter } = queryShapes;
  const shapes = Object.entries({ query, timeDimension, filter });
  expect(keys).toEqual(shapes.map(([name, shape]) => [name, Object.keys(shape.keys)]));
  const validate = new Ajv({ strict: false }).compile(schema);
  const accepts = (config: unknown): boolean =>
    validate({ widgets: [{ id: 'a', type: 'CHART', position: { x: 0, y: 0, w: 1, h: 1 }, config }] });
  expect(accepts(1)).toBe(false);
  const names = fc.constantFrom(
    'query',
    'queries',
    ...Object.keys(query.keys),
    ...Object.keys(timeDimension.keys),
    'or',
  );
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, 1, true, '', 'day', 'orders.count'),
      fc.array(tie('any'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(names, tie('any'), { maxKeys: 4 }),
  }));
  const config = fc.dictionary(names, any, { maxKeys: 4 });
  fc.assert(fc.property(config, (each) => accepts(each)));
});

const has = (schema: object): unknown => expect.objectContaining(schema) as unknown;
const nullable = (schema: object): unknown => has({ anyOf: [has(schema), { type: 'null' }] });
