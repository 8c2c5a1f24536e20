import type { Client } from '#api/client/client.ts';
import { own } from '#base/own.ts';
import { isPlatformError } from '#api/errors.ts';
import {
  listUserAttributes,
  listUserAttributeValues,
  upsertUserAttributeValue,
  type UserAttribute,
} from '#api/resources/user-attributes.ts';
import { asError } from '#base/async.ts';
import { err, ok, type Result } from '#base/result.ts';
import { UserError } from '#shell/user-error.ts';
import { fieldChanges } from './changes.ts';
import { type AdminDocument, type FieldProblem, pathSegment } from './document.ts';
import { valuesSchema } from './document-schema.ts';
import { attributeName } from './read-rows.ts';
import type { AdminRow, Fields } from './rows.ts';
import { adminError } from './admin-error.ts';

/** Creates the document of a user's attribute values: attribute name → value (docs/platform-api.md#listuserattributevalues). */
export async function valuesDocument(client: Client, user: AdminRow): Promise<AdminDocument> {
  const { data: attributes } = await client.call(listUserAttributes, {});
  const title = `attribute values of “${user.name}”`;
  const document: AdminDocument = {
    title,
    path: `/users/${pathSegment(user.name)} attribute values.json`,
    read: async () => readValues(client, user.id, attributes),
    edit: {
      isNew: false,
      schema: valuesSchema(title, attributes),
      check: (fields) => checkValues(fields, attributes),
      send: async (fields, before) => {
        await sendValues(client, user.id, attributes, before, fields);
        return document;
      },
    },
  };
  return document;
}

async function readValues(client: Client, userId: string, attributes: readonly UserAttribute[]): Promise<Fields> {
  const { data } = await client.call(listUserAttributeValues, { params: { userId } });
  const byId = new Map(attributes.map((attribute) => [attribute.id, attributeName(attribute)]));
  const isNamed = ({ name, attributeId }: (typeof data)[number]): boolean => (name ?? attributeId) !== undefined;
  // If these were shown as “no values”, saving would overwrite values that the user never saw.
  if (data.length > 0 && !data.some(isNamed)) {
    throw new UserError('The platform does not say which attributes these values belong to.');
  }
  return Object.fromEntries(
    data.flatMap(({ name, attributeId, value }) => {
      const known = name ?? byId.get(attributeId ?? '');
      return known === undefined || value === null || value === undefined ? [] : [[known, value] as const];
    }),
  );
}

/** Checks whether each value has the type of its attribute. */
export function checkValues(fields: Fields, attributes: readonly UserAttribute[]): Result<Fields, FieldProblem> {
  const byName = new Map(attributes.map((attribute) => [attributeName(attribute), attribute]));
  for (const [name, value] of Object.entries(fields)) {
    const attribute = byName.get(name);
    if (!attribute) {
      const message = `“${name}” is not a user attribute of this tenant. Create it first, or correct its name.`;
      return err({ field: name, message });
    }
    const rule = own(rules, attribute.type);
    if (rule && value !== null && !rule.test(value)) {
      return err({ field: name, message: `${name}: must be ${rule.description}. Nothing was sent.` });
    }
  }
  return ok(fields);
}

interface TypeRule {
  readonly description: string;
  readonly test: (value: unknown) => boolean;
}

const rules: Readonly<Partial<Record<string, TypeRule>>> = {
  string: { description: 'text', test: (value) => typeof value === 'string' },
  number: { description: 'a number', test: (value) => typeof value === 'number' },
  boolean: { description: 'true or false', test: (value) => typeof value === 'boolean' },
  string_array: { description: 'a list of strings', test: isListOf('string') },
  number_array: { description: 'a list of numbers', test: isListOf('number') },
};

function isListOf(type: 'string' | 'number'): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((item) => typeof item === type);
}

/** Sets the changed values, one per request; a removed one is set to null. A failure does not stop the others. */
async function sendValues(
  client: Client,
  userId: string,
  attributes: readonly UserAttribute[],
  before: Fields,
  after: Fields,
): Promise<void> {
  const ids = new Map(attributes.map((attribute) => [attributeName(attribute), attribute.id]));
  const changes = fieldChanges(before, after);
  const failures: { readonly field: string; readonly error: Error }[] = [];
  for (const { field, after: value } of changes) {
    try {
      const body = { userId, attributeId: ids.get(field) ?? '', value: (value ?? null) as never };
      await client.call(upsertUserAttributeValue, { body });
    } catch (error) {
      failures.push({ field, error: adminError(asError(error), 'set attribute values') });
    }
  }
  const [first] = failures;
  if (!first) return;
  if (failures.length === changes.length && failures.length === 1) throw first.error;
  // The same error is reported once for all fields that have it.
  const reasons = [...Map.groupBy(failures, ({ error }) => error.message)].map(
    ([message, same]) => `${same.map(({ field }) => field).join(', ')}: ${message}`,
  );
  const lead = `${changes.length - failures.length} of ${changes.length} values were set.`;
  const isRetryable = failures.some(({ error }) => isPlatformError(error));
  throw new UserError(`${lead} ${reasons.join(' ')}${isRetryable ? ' Save again to retry only those.' : ''}`);
}
