import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dashboardSchemaPath, dashboardSchemaText } from '../../../tools/dashboard-schema.ts';

it('holds the JSON Schema of the client’s own checks (node test/tools/dashboard-schema.ts)', () => {
  expect(readFileSync(dashboardSchemaPath, 'utf8')).toBe(dashboardSchemaText());
});

it('says every constraint of management 2.7', () => {
  const { properties } = JSON.parse(dashboardSchemaText()) as { properties: Record<string, Field> };
  const app = objectIn(properties['app']);
  expect(objectIn(properties['layout']).properties?.['cols']).toMatchObject({
    anyOf: [{ type: 'object' }, { type: 'null' }],
  });
  expect(app.properties?.['entry']?.anyOf?.[0]).toEqual({ type: 'string', maxLength: 255 });
  expect(properties['kind']?.anyOf?.[0]?.enum).toEqual(['CLASSIC', 'APP']);
  const widget = properties['widgets']?.anyOf?.[0]?.items;
  expect(widget?.required).toEqual(['id', 'type', 'position']);
  expect(widget?.additionalProperties).toBe(false);
  expect(widget?.properties?.['id']).toMatchObject({ minLength: 1, maxLength: 128 });
  expect(widget?.properties?.['type']?.enum).toHaveLength(8);
  expect(widget?.properties?.['position']?.required).toEqual(['x', 'y', 'w', 'h']);
});

interface Field {
  readonly anyOf?: readonly Field[];
  readonly enum?: readonly string[];
  readonly items?: Field;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, Field>>;
}

function objectIn(field: Field | undefined): Field {
  return field?.anyOf?.[0] ?? {};
}
