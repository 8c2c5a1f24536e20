import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { creatableTypes, newDocument, objectDocument } from '#features/administration/object-documents.ts';
import { servedEdit } from '#features/administration/served-edit.ts';
import { getApiDescription } from '#api/resources/tenant.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { openDesk } from '#support/features.ts';

const row = { id: '1', name: 'x', detail: '', tenant: 'acme', fields: {} };
const fieldsOf = (schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> => {
  const { $schema: _, ...fields } = (schema as { properties: Record<string, JsonSchema> }).properties;
  return fields;
};

describe('documents of administration', () => {
  it('explain every field', async () => {
    const { client } = await openDesk();
    for (const type of [...creatableTypes, 'tenantSettings'] as const) {
      const document = objectDocument(client, type, { ...row, type });
      for (const [name, { description }] of Object.entries(fieldsOf(document.edit?.schema))) {
        expect(description, `${type} ${name}`).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  it('keep that where the server describes them itself, whose own words come first', async () => {
    const { client } = await openDesk();
    const { edit } = objectDocument(client, 'oidcConfig', { ...row, type: 'oidcConfig' });
    const description = await client.call(getApiDescription, {});
    const served = edit && servedEdit(edit, 'x', description);
    expect(fieldsOf(served?.schema)['issuer']?.['description']).toMatch(/issuer whose tokens/);
    const own = { properties: { issuer: { description: 'Theirs.' } } };
    expect(edit?.explain?.(own)).toMatchObject(own);
  });

  it('complain of a new object only about what is needed', async () => {
    const { client } = await openDesk();
    const ajv = new Ajv({ strict: false, formats: { email: /@/ }, allErrors: true });
    for (const type of creatableTypes) {
      const document = newDocument(client, type, 1, { tenant: 'acme', onCreated: () => Promise.resolve() });
      ajv.validate(document.edit?.schema ?? {}, await document.read());
      const wrong = (ajv.errors ?? []).map(({ instancePath }) => instancePath);
      expect([type, ...new Set(wrong)]).toEqual([type, type === 'user' ? '/email' : '/name']);
    }
  });
});
