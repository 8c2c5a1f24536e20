import * as v from 'valibot';
import { bulkAnswer } from './bulk-results.ts';
import { objectOperations } from './object-operations.ts';
import { operation } from '#api/operation.ts';
import { emailAddress, idIn, idOut, openBody, opt, text } from '#api/schema.ts';

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

const users = objectOperations({ path: '/api/v1/users/', tag, entries: userEntries });

/** See docs/platform-api.md#createuser. */
export const createUser = users.create('createUser', 'Create a user.', { email: emailAddress, ...userIn });

/** See docs/platform-api.md#updateuser. */
export const updateUser = users.update('updateUser', 'Change a user.', { email: v.optional(emailAddress), ...userIn });

/** See docs/platform-api.md#deleteuser. */
export const deleteUser = users.remove('deleteUser', 'Delete a user.');

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
