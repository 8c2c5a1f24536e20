import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import {
  changed,
  countIn,
  cursorListOf,
  exactlyOne,
  idIn,
  idOut,
  inDeployment,
  inWorkbook,
  listOf,
  openBody,
  openEnum,
  openValue,
  opt,
  strictObject,
  text,
} from '#api/schema.ts';
import { folderPath } from './workspace.ts';

const tag = 'Workbooks';

export const embedAccessActions = ['read', 'none'] as const;

const workbookEntries = {
  id: idOut,
  slug: opt(v.string()),
  name: opt(v.string()),
  folderId: opt(idOut),
  folderPath: opt(folderPath),
  user: opt(v.looseObject({ id: opt(idOut), email: opt(v.string()), name: opt(v.string()) })),
};
const workbook = v.looseObject(workbookEntries);
export type Workbook = v.InferOutput<typeof workbook>;

/** Returns a cursor list. See docs/platform-api.md#listworkbooks. */
export const listWorkbooks = operation({
  id: 'listWorkbooks',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks',
  tag,
  summary: 'List the workbooks of the workspace.',
  described: true,
  params: inDeployment,
  query: strictObject({
    first: v.optional(countIn),
    after: v.optional(text),
    search: v.optional(v.string()),
    folderId: v.optional(idIn),
  }),
  answer: cursorListOf(workbook),
});

/** Undocumented fields pass through. See docs/platform-api.md#upsertworkbookbyslug. */
export const upsertWorkbookBySlug = operation({
  id: 'upsertWorkbookBySlug',
  idempotent: false,
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/by-slug/{slug}',
  tag,
  summary: 'Create or update a workbook by its slug.',
  params: strictObject({ deploymentId: idIn, slug: text }),
  body: openBody({ name: v.optional(text), folderId: v.optional(v.nullable(idIn)) }),
  answer: changed(workbookEntries),
});

/** `shared` clones from the shared workspace. See docs/platform-api.md#duplicateworkbook. */
export const duplicateWorkbook = operation({
  id: 'duplicateWorkbook',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/duplicate',
  tag,
  summary: 'Duplicate a workbook.',
  params: inWorkbook,
  body: v.optional(strictObject({ shared: v.optional(v.boolean()) })),
  answer: changed(workbookEntries),
});

/** One grant: for one embed tenant or, without a name, for all embed users. */
const grant = v.looseObject({
  embedTenantName: opt(v.string()),
  allEmbedUsers: opt(v.boolean()),
  action: openEnum(embedAccessActions),
});

/** See docs/platform-api.md#getembedaccess. */
export const getEmbedAccess = operation({
  id: 'getEmbedAccess',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access',
  tag,
  summary: "List who may see a workbook's dashboard when it is embedded.",
  params: inWorkbook,
  answer: listOf(grant),
});

/** See docs/platform-api.md#setembedaccess. */
export const setEmbedAccess = operation({
  id: 'setEmbedAccess',
  guessedBody: true,
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access',
  tag,
  summary: 'Grant or revoke embedded access for one embed tenant or for all embed users.',
  params: inWorkbook,
  body: v.pipe(
    openBody({
      embedTenantName: v.optional(text),
      allEmbedUsers: v.optional(v.literal(true)),
      action: openValue(embedAccessActions),
    }),
    v.forward(
      v.check(
        (body) => exactlyOne(body.embedTenantName, body.allEmbedUsers),
        'exactly one of embedTenantName and allEmbedUsers must be given',
      ),
      ['embedTenantName'],
    ),
  ),
});
