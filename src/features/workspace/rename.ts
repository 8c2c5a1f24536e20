import type { OfferedData } from '#features/platform/index.ts';
import type { ItemRecipe } from '#shell/recipe.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import { itemDocument } from './open-items.ts';
import { refreshLists } from './organise-items.ts';

/**
 * Renames a report or a workbook. All other fields are sent back as the platform has them now, because an update may replace the
 * whole object (docs/platform-api.md#workspace). Throws `PlatformError`, or `UserError` if the platform cannot store the name.
 */
export async function renameItem(services: OfferedData, recipe: ItemRecipe, name: string): Promise<void> {
  const { edit, read } = itemDocument(services, recipe).document;
  if (!edit) throw new Hint('This item cannot be changed.');
  const before = await read();
  const fields = { ...before, name };
  const checked = edit.check(fields, before);
  if (!checked.ok) throw new UserError(checked.error.message);
  await edit.send(fields, before);
  await refreshLists(services.data, recipe.target);
}
