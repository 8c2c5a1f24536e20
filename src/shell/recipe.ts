import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';

const target = v.object({ accountId: v.string(), deploymentId: v.string() });
const workbook = v.object({ target, id: v.string(), name: v.string() });

const item = v.object({
  kind: v.picklist(['report', 'workbook', 'notification']),
  target,
  id: v.string(),
  name: v.optional(v.string()),
});
const newNotification = v.object({ kind: v.literal('newNotification'), target, number: v.number() });

const recipe = v.variant('kind', [
  v.object({ kind: v.literal('variables'), target }),
  v.object({ kind: v.picklist(['draft', 'published', 'platformDraft']), workbook }),
  item,
  newNotification,
]);

/** Of what the document of a report, a workbook or a notification can be made again. */
export type ItemRecipe = v.InferOutput<typeof item> | v.InferOutput<typeof newNotification>;

/** Of what a document of the platform can be made again after the window was reloaded. */
export type Recipe = v.InferOutput<typeof recipe>;

/** What an earlier window stored; nothing where another version of the extension did. */
export function parseRecipe(stored: unknown): Recipe | undefined {
  return parsed(recipe, stored);
}
