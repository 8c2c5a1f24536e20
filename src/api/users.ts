import * as v from 'valibot';
import { bulkAnswer } from './bulk-results.ts';
import { operation } from './operation.ts';
import { byId, changed, idIn, idOut, openBody, opt, text } from './schema.ts';

const tag = 'Users';

export const bulkUserActions = ['DEACTIVATE', 'ACTIVATE', 'DELETE'] as const;

const userEntries = {
  id: idOut,
  email: opt(v.string()),
  firstName: opt(v.string()),
  lastName: opt(v.string()),
  picture: opt(v.string()),
  role: opt(v.string()),
  status: opt(v.string()),
  groups: opt(v.array(v.string())),
};

const userIn = {
  firstName: v.optional(v.string()),
  lastName: v.optional(v.string()),
  role: v.optional(text),
  groups: v.optional(v.array(text)),
};
const email = v.pipe(v.string(), v.email('must be an e-mail address'));

/** Undocumented fields pass through. See docs/platform-api.md#createuser. */
export const createUser = operation({
  id: 'createUser',
  method: 'POST',
  path: '/api/v1/users/',
  tag,
  summary: 'Create a user.',
  body: openBody({ email, ...userIn }),
  answer: changed(userEntries),
});

/** See docs/platform-api.md#updateuser. */
export const updateUser = operation({
  id: 'updateUser',
  method: 'PUT',
  path: '/api/v1/users/{id}',
  tag,
  summary: 'Change a user.',
  params: byId,
  body: openBody({ email: v.optional(email), ...userIn }),
  answer: changed(userEntries),
});

/** See docs/platform-api.md#deleteuser. */
export const deleteUser = operation({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/v1/users/{id}',
  tag,
  summary: 'Delete a user.',
  params: byId,
});

/** Failures are reported per user. See docs/platform-api.md#bulkusers. */
export const bulkUsers = operation({
  id: 'bulkUsers',
  reportsEach: true,
  guessedBody: true,
  method: 'POST',
  path: '/api/v1/users/bulk',
  tag,
  summary: 'Activate, deactivate or delete many users.',
  body: openBody({
    action: v.picklist(bulkUserActions, `must be one of ${bulkUserActions.join(', ')}`),
    ids: v.pipe(v.array(idIn), v.minLength(1, 'must name at least one user')),
  }),
  answer: bulkAnswer,
});
