import { unreachable } from '#base/result.ts';
import { Hint } from '#shell/user-error.ts';
import type { DraftDocuments } from '#features/dashboards/vscode/draft-documents.ts';
import { variablesDocument } from '#features/deployments/vscode/manage-deployment.ts';
import type { VariableDeps } from '#features/deployments/vscode/deps.ts';
import type { ItemDeps } from '#features/workspace/vscode/deps.ts';
import { itemDocument } from '#features/workspace/open-items.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import { parseRecipe } from '#shell/recipe.ts';

/** Restores the document of an earlier window; returns `undefined` for a recipe of another version of the extension. */
export function documentOf(
  { items, variables }: { readonly items: ItemDeps; readonly variables: VariableDeps },
  drafts: DraftDocuments,
  stored: unknown,
  path: string,
): PlatformDocument | undefined {
  const made = parseRecipe(stored);
  if (!made) return undefined;
  const { accountId } = 'target' in made ? made.target : made.workbook.target;
  const account = items.accounts.get(accountId);
  if (!account) {
    throw new Hint('You are signed out of the tenant of this document. Sign in, then open it again.');
  }
  switch (made.kind) {
    case 'variables':
      return variablesDocument(variables, made.target, path);
    case 'draft':
      return drafts.documentOf(made.workbook, path);
    case 'published':
      return drafts.publishedOf(made.workbook, path);
    case 'platformDraft':
      return drafts.platformDraftOf(made.workbook, path);
    case 'report':
    case 'workbook':
    case 'notification':
    case 'newNotification': {
      const { document, options } = itemDocument(items, made);
      return items.forms.fileOf(account, document, options, path);
    }
    default:
      return unreachable(made);
  }
}
