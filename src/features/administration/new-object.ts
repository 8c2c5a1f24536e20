import type { PlatformData } from '#features/platform/index.ts';
import type { AdminData } from './admin-data.ts';
import type { AdminDocument, OpenOptions } from './document.ts';
import { type CreatableType, newDocument } from './object-documents.ts';
import { newRecipe, recipeOf } from './recipes.ts';
import type { AdminList, AdminRow, RowType } from './rows.ts';

/** The platform's objects, and the lists that were opened. */
export interface ObjectPorts {
  readonly data: PlatformData;
  readonly admin: AdminData;
}

/** The type of a new object in each list. */
export const creatable: Readonly<Partial<Record<AdminList['list'], CreatableType>>> = {
  users: 'user',
  attributes: 'attribute',
  oauthIntegrations: 'oauthIntegration',
  oidcConfigs: 'oidcConfig',
  embedGroups: 'embedGroup',
};

/** An object that is created when its document is saved. */
export interface NewObject {
  readonly type: CreatableType;
  /** Distinguishes the new documents of a window. */
  readonly number: number;
  readonly tenant?: string | undefined;
}

let created = 0;

/** Returns the number of the next new object. */
export function nextNumber(): number {
  return created + 1;
}

/** Creates the document of an object that does not exist until it is saved. `made` may have been stored by an earlier window. */
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
      // The document now belongs to the created object: a reload must not create it a second time.
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

/** The lists whose rows may differ after an object of a type was changed. */
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

/** Reloads the opened lists that a change by this window affects. */
export async function refreshAfter(admin: AdminData, accountId: string, type: AdminRow['type']): Promise<void> {
  const lists = touched[type] ?? [];
  await admin.refresh((account, { list }) => account === accountId && lists.includes(list));
}
