import * as v from 'valibot';
import { valuesDocument } from '#features/admin/attribute-values.ts';
import { documentOf } from '#features/admin/open-document.ts';
import type { AdminRow, RowType } from '#features/admin/rows.ts';
import { UserError } from '#features/user-error.ts';
import type { AdminServices } from '../admin-parts.ts';
import type { PlatformDocument } from '../console/platform-document.ts';
import type { AdminDocuments } from './admin-documents.ts';

/** Rows whose document is read from the platform by the row's id; a user's is not: it is what the list said. */
const readable = [
  'attribute',
  'tenantSettings',
  'oauthIntegration',
  'oidcConfig',
  'embedGroup',
  'appConfig',
  'oauthToken',
] as const satisfies readonly RowType[];

const names = { id: v.string(), name: v.string(), tenant: v.optional(v.string()) };

const recipe = v.variant('shows', [
  v.object({
    shows: v.literal('object'),
    accountId: v.string(),
    row: v.object({ ...names, type: v.picklist(readable) }),
  }),
  v.object({ shows: v.literal('values'), accountId: v.string(), row: v.object({ ...names, type: v.literal('user') }) }),
]);

/** Of what the document of a row can be made again after the window was reloaded: names and ids alone. */
export function recipeOf(
  accountId: string,
  { type, id, name, tenant }: AdminRow,
  shows: 'object' | 'values' = 'object',
): PlatformDocument['recipe'] {
  if (shows === 'object' && !readable.some((each) => each === type)) return undefined;
  return { accountId, shows, row: { type, id, name, ...(tenant === undefined ? {} : { tenant }) } };
}

/** Makes the document of an earlier window. Throws `UserError` where its account is signed out. */
export async function restoredDocument(
  { accounts, data }: Pick<AdminServices, 'accounts' | 'data'>,
  documents: AdminDocuments,
  stored: unknown,
): Promise<PlatformDocument | undefined> {
  const parsed = v.safeParse(recipe, stored);
  if (!parsed.success) return undefined;
  const { accountId, shows, row } = parsed.output;
  const account = accounts.get(accountId);
  if (!account) throw new UserError('You are signed out of the tenant of this document. Sign in, then open it again.');
  const client = data.client(accountId);
  const known: AdminRow = { ...row, detail: '', fields: {} };
  const document = shows === 'values' ? await valuesDocument(client, known) : documentOf(client, known);
  return documents.fileOf(account, document, { recipe: stored as PlatformDocument['recipe'], onSaved: noList });
}

/** Nothing is shown of the list before somebody opens it. */
const noList = (): Promise<void> => Promise.resolve();
