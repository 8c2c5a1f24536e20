import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import { listedTypes, type RowName } from '#features/administration/find-row.ts';
import { creatableTypes, type CreatableType } from '#features/administration/object-documents.ts';
import type { AdminRow, RowType } from '#features/administration/rows.ts';

/** Rows whose document is read from the platform by the row's id. */
const readable = [
  'attribute',
  'tenantSettings',
  'oauthIntegration',
  'oidcConfig',
  'embedGroup',
  'appConfig',
  'oauthToken',
] as const satisfies readonly RowType[];

const names = { id: v.string(), name: v.string(), tenant: v.exactOptional(v.string()) };
const user = v.object({ ...names, type: v.literal('user') });

const recipe = v.variant('shows', [
  v.object({
    shows: v.literal('object'),
    accountId: v.string(),
    row: v.variant('type', [
      v.object({ ...names, type: v.picklist(readable) }),
      v.object({ ...names, type: v.picklist(listedTypes) }),
    ]),
  }),
  v.object({ shows: v.picklist(['values', 'scim']), accountId: v.string(), row: user }),
  v.object({
    shows: v.literal('new'),
    accountId: v.string(),
    type: v.picklist(creatableTypes),
    number: v.number(),
    tenant: v.exactOptional(v.string()),
  }),
]);

/** Of what a document can be made again after the window was reloaded: names and ids alone. */
export type AdminRecipe = v.InferOutput<typeof recipe>;

/** A recipe that was stored; nothing for one of another version of the extension. */
export function readRecipe(stored: unknown): AdminRecipe | undefined {
  return parsed(recipe, stored);
}

/** The recipe of the document of a row; nothing for a row that has no document. */
export function recipeOf(
  accountId: string,
  row: AdminRow,
  shows: 'object' | 'values' | 'scim' = 'object',
): AdminRecipe | undefined {
  return readRecipe({ shows, accountId, row: nameOf(row) });
}

/** The recipe of a document of something that is made when it is saved. */
export function newRecipe(
  accountId: string,
  {
    type,
    number,
    tenant,
  }: { readonly type: CreatableType; readonly number: number; readonly tenant?: string | undefined },
): AdminRecipe {
  return { shows: 'new', accountId, type, number, ...(tenant === undefined ? {} : { tenant }) };
}

function nameOf({ type, id, name, tenant }: AdminRow): RowName {
  return { type, id, name, ...(tenant === undefined ? {} : { tenant }) };
}
