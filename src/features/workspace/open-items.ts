import { unreachable } from '#base/result.ts';
import type { AdminDocument, DocumentEdit, OpenOptions } from '#features/administration/index.ts';
import { type OfferedData, type PlatformData, titleOf, type WorkspaceItem } from '#features/platform/index.ts';
import type { ItemRecipe } from '#shell/recipe.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import {
  type ItemLocation,
  newNotificationDocument,
  notificationDocument,
  reportDocument,
  workbookDocument,
} from './item-documents.ts';
import { type Chosen, refreshLists } from './organise-items.ts';

/** Returns the recipe of the first chosen item; throws `UserError` if it cannot be edited as a document. */
export function recipeOf({ target, items }: Chosen): ItemRecipe {
  const [item] = items;
  if (!item || item.type === 'FOLDER') throw new Hint('Choose a report or a workbook.');
  if (item.publicId === undefined) {
    const word = item.type === 'REPORT' ? 'public id' : 'slug';
    throw new Hint(`The platform does not say the ${word} of “${item.name}”, so it cannot be changed from here.`);
  }
  return { kind: item.type === 'REPORT' ? 'report' : 'workbook', target, id: item.publicId, name: item.name };
}

/** What a click on an item opens. */
export type Opening = 'dashboardPreview' | 'publishedDashboard' | 'document' | 'nothing';

/**
 * Returns what a click on an item opens: the dashboard of a workbook if the platform supports dashboards, or else the item's
 * document. The URLs of the platform's own pages are not documented.
 */
export function openingOf(
  { type, canEdit, publicId }: Pick<WorkspaceItem, 'type' | 'canEdit' | 'publicId'>,
  hasDashboards: boolean,
): Opening {
  if (type === 'WORKBOOK' && hasDashboards) return canEdit ? 'dashboardPreview' : 'publishedDashboard';
  return canEdit && publicId !== undefined ? 'document' : 'nothing';
}

/** Returns the recipe of a notification that is created when it is saved. */
export function newNotification(target: DeploymentTarget): ItemRecipe {
  return { kind: 'newNotification', target, number: made + 1 };
}

/** Distinguishes the new documents of a window. */
let made = 0;

/** Creates the document of a report, a workbook or a notification. `first` may come from an earlier window. */
export function itemDocument(
  services: OfferedData,
  first: ItemRecipe,
): { readonly document: AdminDocument; readonly options: OpenOptions } {
  // Saving may create or rename the object; after a reload, the document must show the saved one.
  let recipe = first;
  const follow = (now: ItemRecipe): void => void (recipe = now);
  const document = documentOf(locationOf(services, first.target), first, follow);
  const options: OpenOptions = {
    get recipe() {
      return recipe;
    },
    onSaved: async () => refreshLists(services.data, first.target),
  };
  return { document: inDeployment(services, first.target, document), options };
}

function documentOf(location: ItemLocation, recipe: ItemRecipe, follow: (now: ItemRecipe) => void): AdminDocument {
  const { kind, target } = recipe;
  const known = kind === 'newNotification' ? 'notification' : kind;
  const named = (id: string, name: string): void => follow({ kind: known, target, id, name });
  switch (kind) {
    case 'report':
      return reportDocument(location, recipe.id, recipe.name, named);
    case 'workbook':
      return workbookDocument(location, recipe.id, recipe.name, named);
    case 'notification':
      return notificationDocument(location, recipe.id);
    case 'newNotification':
      made = Math.max(made, recipe.number);
      return newNotificationDocument(location, recipe.number, named);
    default:
      return unreachable(kind);
  }
}

/**
 * Puts a document into its deployment's folder, because deployments can have documents of the same name. This also applies to the
 * document that saving returns.
 */
function inDeployment(
  services: { readonly data: PlatformData },
  target: DeploymentTarget,
  document: AdminDocument,
): AdminDocument {
  const { edit } = document;
  const send: DocumentEdit['send'] | undefined =
    edit && (async (fields, before) => inDeployment(services, target, await edit.send(fields, before)));
  return {
    ...document,
    ...(edit && send ? { edit: { ...edit, send } } : {}),
    path: `/${titleOf(services, target)} ${target.deploymentId}${document.path}`,
  };
}

function locationOf(
  { data, offers, learnOffers }: OfferedData,
  { accountId, deploymentId }: DeploymentTarget,
): ItemLocation {
  return {
    client: data.client(accountId),
    deploymentId,
    listsWorkbooks: async () => {
      await learnOffers(accountId);
      return offers(accountId, 'listWorkbooks');
    },
  };
}
