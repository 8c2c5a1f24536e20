import * as v from 'valibot';
import { unreachable } from '#base/result.ts';
import { UserError } from '#features/user-error.ts';
import type { DraftDocuments } from '../dashboards/draft-documents.ts';
import type { Workbook } from '../dashboards/workbook.ts';
import { variablesDocument } from './deployment-console.ts';
import { itemDocument, type ItemServices } from './item-commands.ts';
import type { PlatformDocument } from './platform-document.ts';

const target = v.object({ accountId: v.string(), deploymentId: v.string() });
const workbook = v.object({ target, id: v.string(), name: v.string() });

const recipe = v.variant('kind', [
  v.object({ kind: v.literal('variables'), target }),
  v.object({ kind: v.literal('draft'), workbook }),
  v.object({ kind: v.literal('published'), workbook }),
  v.object({ kind: v.literal('platformDraft'), workbook }),
  v.object({
    kind: v.picklist(['report', 'workbook', 'notification']),
    target,
    id: v.string(),
    name: v.optional(v.string()),
  }),
  v.object({ kind: v.literal('newNotification'), target, number: v.number() }),
]);

/** Of what the document of a report, a workbook or a notification can be made again. */
export type ItemRecipe =
  | {
      readonly kind: 'report' | 'workbook' | 'notification';
      readonly target: Workbook['target'];
      readonly id: string;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'newNotification'; readonly target: Workbook['target']; readonly number: number };

/** Of what a document of the console can be made again after the window was reloaded. */
export type Recipe =
  | { readonly kind: 'variables'; readonly target: Workbook['target'] }
  | { readonly kind: 'draft' | 'published' | 'platformDraft'; readonly workbook: Workbook }
  | ItemRecipe;

/** Makes the document of an earlier window; nothing for a recipe of another version of the extension. */
export function documentOf(
  services: ItemServices,
  drafts: DraftDocuments,
  stored: unknown,
  path: string,
): PlatformDocument | undefined {
  const parsed = v.safeParse(recipe, stored);
  if (!parsed.success) return undefined;
  const made = parsed.output;
  const { accountId } = 'target' in made ? made.target : made.workbook.target;
  const account = services.accounts.get(accountId);
  if (!account) {
    throw new UserError('You are signed out of the tenant of this document. Sign in, then open it again.');
  }
  switch (made.kind) {
    case 'variables':
      return variablesDocument(services, made.target, path);
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
      const { document, options } = itemDocument(services, made);
      return services.forms.fileOf(account, document, options, path);
    }
    default:
      return unreachable(made);
  }
}
