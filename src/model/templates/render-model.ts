import { nextTurn } from '#base/async.ts';
import type { ModelIndex } from '../index.ts';
import { LARGEST_TEMPLATES, ModelTemplates, type TemplateAnswer, type TemplateQuestion } from './model-templates.ts';

/** Lets the template engine render the templates of one model; resolves to `null` if templates are not rendered. */
export type RenderTemplates = (questions: readonly TemplateQuestion[]) => Promise<TemplateAnswer | null>;

/** The number of renderings that are read before other work of the process may run, because it responds to the user meanwhile. */
const FILES_AT_ONCE = 10;

/**
 * Renders the templates of a model and stores the results in its index. `nameOf` returns the name by which other templates
 * import the one at a path. Resolves to `false` if another attempt could render more. Rejects as `render` does.
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
  for (const result of templates.results(answer, nameOf)) {
    index.setTemplate(result);
    read++;
    if (read % FILES_AT_ONCE === 0) await nextTurn();
  }
  return true;
}
