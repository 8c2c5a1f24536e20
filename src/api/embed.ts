import * as v from 'valibot';
import { operation, slow } from './operation.ts';
import { changed, freeObject, idIn, idOut, listOf, objectOf, openBody, opt, strictObject, text } from './schema.ts';

const tag = 'Embedding';
const inTenant = strictObject({ embedTenantName: text });
const inGroup = strictObject({ embedTenantName: text, id: idIn });
const onDashboard = strictObject({ publicId: text });
/** The documents do not show this body: what a server’s description names instead passes through. */
const members = openBody({ userIds: v.pipe(v.array(idIn), v.minLength(1, 'must name at least one user')) });

const embedTenant = v.looseObject({
  name: v.string(),
  id: opt(idOut),
  displayName: opt(v.string()),
  createdAt: opt(v.string()),
});
export type EmbedTenant = v.InferOutput<typeof embedTenant>;

const embedUser = v.looseObject({
  id: idOut,
  externalId: opt(v.string()),
  email: opt(v.string()),
  displayName: opt(v.string()),
});
export type EmbedUser = v.InferOutput<typeof embedUser>;

const groupEntries = { id: idOut, name: opt(v.string()), description: opt(v.string()) };
export type EmbedGroup = v.InferOutput<typeof updateEmbedTenantGroup.answer>;

/** Management 4.11. */
export const listEmbedTenants = operation({
  id: 'listEmbedTenants',
  method: 'GET',
  path: '/api/v1/embed-tenants/',
  section: 'management 4.11',
  tag,
  summary: 'List the embed tenants.',
  answerKind: 'json',
  answer: listOf(embedTenant),
});

/** Management 4.11. */
export const listEmbedTenantUsers = operation({
  id: 'listEmbedTenantUsers',
  method: 'GET',
  path: '/api/v1/embed-tenants/{embedTenantName}/users',
  section: 'management 4.11',
  tag,
  summary: 'List the users of an embed tenant.',
  answerKind: 'json',
  params: inTenant,
  answer: listOf(embedUser),
});

/** Management 4.11: 204, no trailing slash. */
export const deleteEmbedTenant = operation({
  id: 'deleteEmbedTenant',
  method: 'DELETE',
  path: '/api/v1/embed-tenants/{embedTenantName}',
  section: 'management 4.11',
  tag,
  summary: 'Delete an embed tenant.',
  answerKind: 'none',
  params: inTenant,
});

/** Management 4.11; fields of the body that the document does not show pass through. */
export const createEmbedTenantGroup = operation({
  id: 'createEmbedTenantGroup',
  method: 'POST',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups',
  section: 'management 4.11',
  tag,
  summary: 'Create a group of an embed tenant.',
  answerKind: 'json',
  params: inTenant,
  body: openBody({ name: text, description: v.optional(v.string()) }),
  answer: changed(groupEntries),
});

/** Management 4.11. */
export const getEmbedTenantGroup = operation({
  id: 'getEmbedTenantGroup',
  method: 'GET',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}',
  section: 'management 4.11',
  tag,
  summary: 'Read a group of an embed tenant.',
  answerKind: 'json',
  params: inGroup,
  answer: objectOf(groupEntries),
});

/** Management 4.11. */
export const updateEmbedTenantGroup = operation({
  id: 'updateEmbedTenantGroup',
  method: 'PATCH',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}',
  section: 'management 4.11',
  tag,
  summary: 'Change a group of an embed tenant.',
  answerKind: 'json',
  params: inGroup,
  body: openBody({ name: v.optional(text), description: v.optional(v.string()) }),
  answer: changed(groupEntries),
});

/** Management 4.11: 204. */
export const deleteEmbedTenantGroup = operation({
  id: 'deleteEmbedTenantGroup',
  method: 'DELETE',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}',
  section: 'management 4.11',
  tag,
  summary: 'Delete a group of an embed tenant.',
  answerKind: 'none',
  params: inGroup,
});

/** Management 4.11. */
export const listEmbedTenantGroupUsers = operation({
  id: 'listEmbedTenantGroupUsers',
  method: 'GET',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}/users',
  section: 'management 4.11',
  tag,
  summary: "List a group's members.",
  answerKind: 'json',
  params: inGroup,
  answer: listOf(embedUser),
});

/** Management 4.11. */
export const addEmbedTenantGroupUsers = operation({
  id: 'addEmbedTenantGroupUsers',
  guessedBody: true,
  method: 'POST',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}/users',
  section: 'management 4.11',
  tag,
  summary: 'Add members to a group.',
  // Membership is a set: adding a member again changes nothing.
  idempotent: true,
  answerKind: 'none',
  params: inGroup,
  body: members,
});

/** Management 4.11. */
export const removeEmbedTenantGroupUsers = operation({
  id: 'removeEmbedTenantGroupUsers',
  guessedBody: true,
  method: 'DELETE',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}/users',
  section: 'management 4.11',
  tag,
  summary: 'Remove members from a group.',
  answerKind: 'none',
  params: inGroup,
  body: members,
});

/** Management 4.11. */
export const setDashboardEmbedding = operation({
  id: 'setDashboardEmbedding',
  guessedBody: true,
  method: 'PATCH',
  path: '/api/v1/embed/dashboard/{publicId}',
  section: 'management 4.11',
  tag,
  summary: 'Switch signed embedding of a dashboard on or off.',
  // Sets a state: setting it again changes nothing.
  idempotent: true,
  answerKind: 'json',
  params: onDashboard,
  body: openBody({ enabled: v.boolean() }),
  answer: changed({ publicId: v.string(), enabled: v.boolean() }),
});

/** Management 4.11: dashboard filters are applied. */
export const runPythonReport = operation({
  id: 'runPythonReport',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/python-run',
  section: 'management 4.11',
  tag,
  summary: 'Run a Python report with dashboard filters applied.',
  patience: slow,
  answerKind: 'json',
  params: onDashboard,
  body: v.optional(openBody({ reportId: v.optional(idIn), filters: v.optional(v.array(freeObject)) })),
  answer: changed({ status: opt(v.string()), output: v.optional(v.unknown()), error: opt(v.string()) }),
});
