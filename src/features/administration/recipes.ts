import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import { listedTypes, type RowName } from '#features/administration/find-row.ts';
import { creatableTypes, type CreatableType } from '#features/administration/object-documents.ts';
import type { AdminRow, RowType } from '#features/administration/rows.ts';

/** Types whose documents are read from the platform by id. */
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

/** Names and ids from which a document can be created again after the window was reloaded. */
export type AdminRecipe = v.InferOutput<typeof recipe>;

/** Parses a stored recipe; `undefined` for one of another version of the extension. */
export function readRecipe(stored: unknown): AdminRecipe | undefined {
  return parsed(recipe, stored);
}

/** Returns the recipe of a row's document; `undefined` for a row that has none. */
export function recipeOf(
  accountId: string,
  row: AdminRow,
  shows: 'object' | 'values' | 'scim' = 'object',
): AdminRecipe | undefined {
  return readRecipe({ shows, accountId, row: nameOf(row) });
}

/** Returns the recipe of the document of a new object. */
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
