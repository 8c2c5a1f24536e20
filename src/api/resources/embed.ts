import * as v from 'valibot';
import { operation, slow } from '#api/operation.ts';
import { changed, freeObject, idIn, idOut, listOf, objectOf, openBody, opt, strictObject, text } from '#api/schema.ts';

const tag = 'Embedding';
const inTenant = strictObject({ embedTenantName: text });
const inGroup = strictObject({ embedTenantName: text, id: idIn });
const onDashboard = strictObject({ publicId: text });
/** Servers may use other names for these fields: any that their description lists pass through. */
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

/** See docs/platform-api.md#listembedtenants. */
export const listEmbedTenants = operation({
  id: 'listEmbedTenants',
  method: 'GET',
  path: '/api/v1/embed-tenants/',
  tag,
  summary: 'List the embed tenants.',
  answer: listOf(embedTenant),
});

/** See docs/platform-api.md#listembedtenantusers. */
export const listEmbedTenantUsers = operation({
  id: 'listEmbedTenantUsers',
  method: 'GET',
  path: '/api/v1/embed-tenants/{embedTenantName}/users',
  tag,
  summary: 'List the users of an embed tenant.',
  params: inTenant,
  answer: listOf(embedUser),
});

/** Returns 204; the path has no trailing slash. See docs/platform-api.md#deleteembedtenant. */
export const deleteEmbedTenant = operation({
  id: 'deleteEmbedTenant',
  method: 'DELETE',
  path: '/api/v1/embed-tenants/{embedTenantName}',
  tag,
  summary: 'Delete an embed tenant.',
  params: inTenant,
});

/** Undocumented fields pass through. See docs/platform-api.md#createembedtenantgroup. */
export const createEmbedTenantGroup = operation({
  id: 'createEmbedTenantGroup',
  method: 'POST',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups',
  tag,
  summary: 'Create a group of an embed tenant.',
  params: inTenant,
  body: openBody({ name: text, description: v.optional(v.string()) }),
  answer: changed(groupEntries),
});

/** See docs/platform-api.md#getembedtenantgroup. */
export const getEmbedTenantGroup = operation({
  id: 'getEmbedTenantGroup',
  method: 'GET',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}',
  tag,
  summary: 'Read a group of an embed tenant.',
  params: inGroup,
  answer: objectOf(groupEntries),
});

/** See docs/platform-api.md#updateembedtenantgroup. */
export const updateEmbedTenantGroup = operation({
  id: 'updateEmbedTenantGroup',
  method: 'PATCH',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}',
  tag,
  summary: 'Change a group of an embed tenant.',
  params: inGroup,
  body: openBody({ name: v.optional(text), description: v.optional(v.string()) }),
  answer: changed(groupEntries),
});

/** Returns 204. See docs/platform-api.md#deleteembedtenantgroup. */
export const deleteEmbedTenantGroup = operation({
  id: 'deleteEmbedTenantGroup',
  method: 'DELETE',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}',
  tag,
  summary: 'Delete a group of an embed tenant.',
  params: inGroup,
});

/** See docs/platform-api.md#listembedtenantgroupusers. */
export const listEmbedTenantGroupUsers = operation({
  id: 'listEmbedTenantGroupUsers',
  method: 'GET',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}/users',
  tag,
  summary: "List a group's members.",
  params: inGroup,
  answer: listOf(embedUser),
});

/** See docs/platform-api.md#addembedtenantgroupusers. */
export const addEmbedTenantGroupUsers = operation({
  id: 'addEmbedTenantGroupUsers',
  guessedBody: true,
  method: 'POST',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}/users',
  tag,
  summary: 'Add members to a group.',
  // Membership is a set: adding a member again changes nothing.
  idempotent: true,
  params: inGroup,
  body: members,
});

/** See docs/platform-api.md#removeembedtenantgroupusers. */
export const removeEmbedTenantGroupUsers = operation({
  id: 'removeEmbedTenantGroupUsers',
  guessedBody: true,
  method: 'DELETE',
  path: '/api/v1/embed-tenants/{embedTenantName}/groups/{id}/users',
  tag,
  summary: 'Remove members from a group.',
  params: inGroup,
  body: members,
});

/** See docs/platform-api.md#setdashboardembedding. */
export const setDashboardEmbedding = operation({
  id: 'setDashboardEmbedding',
  guessedBody: true,
  method: 'PATCH',
  path: '/api/v1/embed/dashboard/{publicId}',
  tag,
  summary: 'Switch signed embedding of a dashboard on or off.',
  // It sets a state: setting it again changes nothing.
  idempotent: true,
  params: onDashboard,
  body: openBody({ enabled: v.boolean() }),
  answer: changed({ publicId: v.string(), enabled: v.boolean() }),
});

/** Dashboard filters are applied. See docs/platform-api.md#runpythonreport. */
export const runPythonReport = operation({
  id: 'runPythonReport',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/python-run',
  tag,
  summary: 'Run a Python report with dashboard filters applied.',
  timeoutFactor: slow,
  params: onDashboard,
  body: v.optional(openBody({ reportId: v.optional(idIn), filters: v.optional(v.array(freeObject)) })),
  answer: changed({ status: opt(v.string()), output: v.optional(v.unknown()), error: opt(v.string()) }),
});
