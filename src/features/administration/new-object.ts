import type { PlatformData } from '#features/platform/index.ts';
import type { AdminData } from './admin-data.ts';
import type { AdminDocument, OpenOptions } from './document.ts';
import { type CreatableType, newDocument } from './object-documents.ts';
import { newRecipe, recipeOf } from './recipes.ts';
import type { AdminList, AdminRow, RowType } from './rows.ts';

/** The platform's objects, and the lists of them that were opened. */
export interface ObjectPorts {
  readonly data: PlatformData;
  readonly admin: AdminData;
}

/** What a new object of a list is. */
export const creatable: Readonly<Partial<Record<AdminList['list'], CreatableType>>> = {
  users: 'user',
  attributes: 'attribute',
  oauthIntegrations: 'oauthIntegration',
  oidcConfigs: 'oidcConfig',
  embedGroups: 'embedGroup',
};

/** An object that is made when its document is saved. */
export interface NewObject {
  readonly type: CreatableType;
  /** Distinguishes the new documents of a window. */
  readonly number: number;
  readonly tenant?: string | undefined;
}

let created = 0;

/** The number of the next new object. */
export function nextNumber(): number {
  return created + 1;
}

/** The document of something that is made when it is saved, in this window or an earlier one. */
export function newObject(
  { data, admin }: ObjectPorts,
  accountId: string,
  made: NewObject,
): { readonly document: AdminDocument; readonly options: OpenOptions } {
  const { type, number, tenant } = made;
  // Documents of an earlier window keep their names.
  created = Math.max(created, number);
  let recipe: OpenOptions['recipe'] = newRecipe(accountId, made);
  const document = newDocument(data.client(accountId), type, number, {
    tenant,
    onCreated: async (row) => {
      // From now on the document is of what was made: a reload must not make it a second time.
      recipe = recipeOf(accountId, row);
      if (tenant !== undefined) await admin.groups.add(accountId, tenant, row.id);
    },
  });
  const options = {
    get recipe() {
      return recipe;
    },
    onSaved: async () => refreshAfter(admin, accountId, type),
  };
  return { document, options };
}

/** Lists whose rows may differ after an object of a type was changed. */
const touched: Readonly<Partial<Record<RowType, readonly AdminList['list'][]>>> = {
  user: ['users', 'groups'],
  attribute: ['attributes'],
  oauthIntegration: ['oauthIntegrations', 'oauthTokens'],
  oauthToken: ['oauthTokens'],
  oidcConfig: ['oidcConfigs'],
  embedTenant: ['embedTenants'],
  embedGroup: ['embedGroups'],
  embedUser: ['members'],
};

/** Reloads the opened lists that an own change touched. */
export async function refreshAfter(admin: AdminData, accountId: string, type: AdminRow['type']): Promise<void> {
  const lists = touched[type] ?? [];
  await admin.refresh((account, { list }) => account === accountId && lists.includes(list));
}
