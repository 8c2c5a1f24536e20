import { text } from '#base/user-text.ts';
import type { QuerySaving } from '#features/data/vscode/index.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';

/** Asks for the title of a query and saves it in a new file. The file is named after the title. */
export async function saveQuery(
  saving: QuerySaving,
  query: Parameters<QuerySaving['saveQuery']>[1],
  proposedTitle: string,
): Promise<void> {
  const title = await askChecked({
    title: text`Save Query`,
    prompt: text`The title of the query. It also names the file, in the folder “queries” beside the model.`,
    placeholder: text`Paid orders by month`,
    value: proposedTitle,
    validate: (typed) => (typed.trim() === '' ? 'Enter a title.' : undefined),
  });
  if (title !== undefined) await saving.saveQuery(title.trim(), query);
}
