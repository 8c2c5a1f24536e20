import * as v from 'valibot';
import { parsed } from '#protocol/parsed.ts';
import type { Workbook } from '../dashboards/workbook.ts';

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

/** What an earlier window stored; nothing where another version of the extension did. */
export function parseRecipe(stored: unknown): Recipe | undefined {
  return parsed(recipe, stored);
}
