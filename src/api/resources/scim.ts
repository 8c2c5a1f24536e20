import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { answering, countIn, idOut, isObject, numberOut, opt, rowsOf, strictObject } from '#api/schema.ts';

const tag = 'SCIM';
const page = strictObject({ count: v.optional(countIn), startIndex: v.optional(countIn) });

const listEntries = {
  totalResults: opt(numberOut),
  startIndex: opt(numberOut),
  itemsPerPage: opt(numberOut),
};

/** RFC 7644 3.4.2: a page may omit its resources if it states their number; anything else is not such a list. */
const listOfResources = <const S extends v.GenericSchema>(resource: S) =>
  answering(v.looseObject({ ...listEntries, Resources: rowsOf(resource) }), (value) =>
    isObject(value) && value['Resources'] === undefined && value['totalResults'] !== undefined
      ? { ...value, Resources: [] }
      : value,
  );

const scimUser = v.looseObject({
  id: idOut,
  userName: opt(v.string()),
  displayName: opt(v.string()),
  active: opt(v.boolean()),
  emails: opt(rowsOf(v.looseObject({ value: v.string(), primary: opt(v.boolean()) }))),
});
export type ScimUser = v.InferOutput<typeof scimUser>;

const scimGroup = v.looseObject({
  id: idOut,
  displayName: opt(v.string()),
  members: opt(rowsOf(v.looseObject({ value: idOut, display: opt(v.string()) }))),
});
export type ScimGroup = v.InferOutput<typeof scimGroup>;

/** `startIndex` counts from 1. See docs/platform-api.md#listscimusers. */
export const listScimUsers = operation({
  id: 'listScimUsers',
  method: 'GET',
  path: '/api/scim/v2/Users',
  tag,
  summary: 'List the provisioned users.',
  query: page,
  answer: listOfResources(scimUser),
});

/** `startIndex` counts from 1. See docs/platform-api.md#listscimgroups. */
export const listScimGroups = operation({
  id: 'listScimGroups',
  method: 'GET',
  path: '/api/scim/v2/Groups',
  tag,
  summary: 'List the provisioned groups.',
  query: page,
  answer: listOfResources(scimGroup),
});
