import * as v from 'valibot';
import { operation } from './operation.ts';
import { countIn, idOut, numberOut, opt, rowsOf, strictObject } from './schema.ts';

const tag = 'SCIM';
const page = strictObject({ count: v.optional(countIn), startIndex: v.optional(countIn) });

const listEntries = {
  totalResults: opt(numberOut),
  startIndex: opt(numberOut),
  itemsPerPage: opt(numberOut),
};

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

/** Management 4.10: `startIndex` counts from 1. */
export const listScimUsers = operation({
  id: 'listScimUsers',
  method: 'GET',
  path: '/api/scim/v2/Users',
  section: 'management 4.10',
  tag,
  summary: 'List the provisioned users.',
  answerKind: 'json',
  query: page,
  answer: v.looseObject({ ...listEntries, Resources: v.optional(rowsOf(scimUser), []) }),
});

/** Management 4.10: `startIndex` counts from 1. */
export const listScimGroups = operation({
  id: 'listScimGroups',
  method: 'GET',
  path: '/api/scim/v2/Groups',
  section: 'management 4.10',
  tag,
  summary: 'List the provisioned groups.',
  answerKind: 'json',
  query: page,
  answer: v.looseObject({ ...listEntries, Resources: v.optional(rowsOf(scimGroup), []) }),
});
