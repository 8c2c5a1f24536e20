import type { RenderTemplates } from '#features/language/messages.ts';
import type { LazyLanguage } from '#features/language/opened-language.ts';

/** Templates of other branches are rendered where those of the workspace are: beside the language server. */
export function renderingBy(language: LazyLanguage): RenderTemplates {
  return async (questions) => (await language()).renderTemplates(questions);
}
