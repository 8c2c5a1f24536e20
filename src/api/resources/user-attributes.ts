import * as v from 'valibot';
import { objectOperations } from './object-operations.ts';
import { operation } from '#api/operation.ts';
import { changed, idIn, idOut, listOf, openBody, openEnum, opt, strictObject, text } from '#api/schema.ts';

const tag = 'User attributes';

export const userAttributeTypes = ['string', 'number', 'boolean', 'string_array', 'number_array'] as const;

const attributeEntries = {
  id: idOut,
  name: opt(v.string()),
  type: openEnum(userAttributeTypes),
  displayName: opt(v.string()),
  description: opt(v.string()),
  defaultValue: v.optional(v.unknown()),
};
const attribute = v.looseObject(attributeEntries);
export type UserAttribute = v.InferOutput<typeof attribute>;

const type = v.picklist(userAttributeTypes, `must be one of ${userAttributeTypes.join(', ')}`);
const value = v.union(
  [v.string(), v.number(), v.boolean(), v.array(v.string()), v.array(v.number())],
  'must be text, a number, true or false, or a list of strings or numbers',
);
const described = {
  displayName: v.optional(v.string()),
  description: v.optional(v.string()),
  defaultValue: v.optional(v.nullable(value)),
};

const attributes = objectOperations({ path: '/api/v1/user-attributes/', tag, entries: attributeEntries });

/** See docs/platform-api.md#listuserattributes. */
export const listUserAttributes = attributes.list('listUserAttributes', "List the tenant's user attributes.");

/** See docs/platform-api.md#createuserattribute. */
export const createUserAttribute = attributes.create('createUserAttribute', 'Create a user attribute.', {
  name: text,
  type,
  ...described,
});

/** See docs/platform-api.md#updateuserattribute. */
export const updateUserAttribute = attributes.update('updateUserAttribute', 'Change a user attribute.', {
  name: v.optional(text),
  type: v.optional(type),
  ...described,
});

const valueEntries = {
  id: opt(idOut),
  userId: opt(idOut),
  attributeId: opt(idOut),
  name: opt(v.string()),
  value: v.optional(v.unknown()),
};

/** See docs/platform-api.md#listuserattributevalues. */
export const listUserAttributeValues = operation({
  id: 'listUserAttributeValues',
  method: 'GET',
  path: '/api/v1/user-attribute-values/{userId}',
  tag,
  summary: "List a user's attribute values.",
  params: strictObject({ userId: idIn }),
  answer: listOf(v.looseObject(valueEntries)),
});

/** See docs/platform-api.md#upsertuserattributevalue. */
export const upsertUserAttributeValue = operation({
  id: 'upsertUserAttributeValue',
  method: 'POST',
  path: '/api/v1/user-attribute-values/',
  tag,
  summary: "Set a user's value of an attribute.",
  // An upsert: the same value again changes nothing.
  idempotent: true,
  body: openBody({ userId: idIn, attributeId: idIn, value: v.nullable(value) }),
  answer: changed(valueEntries),
});
