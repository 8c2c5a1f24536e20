import type { RenderTemplates } from '#model/templates/render-model.ts';
import type { LazyLanguage } from '#features/language/opened-language.ts';

/** Renders templates of other branches beside the language server, where those of the workspace are rendered. */
export function renderingBy(language: LazyLanguage): RenderTemplates {
  return async (questions) => (await language()).renderTemplates(questions);
}
