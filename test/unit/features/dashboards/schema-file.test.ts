import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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

const has = (schema: object): unknown => expect.objectContaining(schema) as unknown;
const nullable = (schema: object): unknown => has({ anyOf: [has(schema), { type: 'null' }] });
