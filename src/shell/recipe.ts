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

/** The data from which the document of a report, a workbook or a notification can be restored. */
export type ItemRecipe = v.InferOutput<typeof item> | v.InferOutput<typeof newNotification>;

/** The data from which a platform document can be restored after the window was reloaded. */
export type Recipe = v.InferOutput<typeof recipe>;

/**
 * Parses a recipe that an earlier window stored; returns `undefined` if another version of the extension stored it differently.
 */
export function parseRecipe(stored: unknown): Recipe | undefined {
  return parsed(recipe, stored);
}
