import { readRecipe } from '#features/administration/recipes.ts';
import { restoredObject } from '#features/administration/restored-object.ts';
import { Hint } from '#shell/user-error.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { AdminHandlerDeps } from './deps.ts';

/**
 * Creates the document of an earlier window again. Throws `UserError` if its account is signed out or its object no longer
 * exists.
 */
export async function restoredDocument(
  services: AdminHandlerDeps,
  stored: unknown,
  path: string,
): Promise<PlatformDocument | undefined> {
  const recipe = readRecipe(stored);
  if (!recipe) return undefined;
  const account = services.accounts.get(recipe.accountId);
  if (!account) throw new Hint('You are signed out of the tenant of this document. Sign in, then open it again.');
  const { document, options } = await restoredObject(services, recipe);
  return services.documents.fileOf(account, document, options, path);
}
