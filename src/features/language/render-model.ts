import { nextTurn } from '#base/async.ts';
import type { ModelIndex } from '#model/index.ts';
import { LARGEST_TEMPLATES, ModelTemplates } from '#model/templates/model-templates.ts';
import type { RenderTemplates } from './messages.ts';

/** Renderings that are read before other work of the process may run: it answers the user meanwhile. */
const FILES_AT_ONCE = 10;

/**
 * Has the templates of a model rendered, and gives the model what comes out. `nameOf` makes the name by which others import a template
 * of its path. The answer is whether nothing is left that another attempt could render. Rejects as `render` does.
 */
export async function renderModel(
  index: ModelIndex,
  nameOf: (path: string) => string,
  render: RenderTemplates,
): Promise<boolean> {
  const templates = new ModelTemplates(index);
  const questions = templates.questions(nameOf);
  if (questions.length === 0 || templates.size > LARGEST_TEMPLATES) return true;
  const answer = await render(questions);
  if (!answer) return false;
  let read = 0;
  for (const [path, rendering] of templates.renderings(answer)) {
    index.setRendering(path, rendering);
    read++;
    if (read % FILES_AT_ONCE === 0) await nextTurn();
  }
  return true;
}
