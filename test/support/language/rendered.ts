import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TemplateEngine } from '#language-server/host.ts';
import type { ModelIndex } from '#model/index.ts';
import { ModelTemplates } from '#model/templates/model-templates.ts';
import { type Fixture, fixture } from './model.ts';

// The sandbox first evaluates the WebAssembly of the template library as a text.
const code = createRequire(import.meta.url).resolve('minijinja-js/dist/web/minijinja_js_bg.wasm');
Object.assign(globalThis, { modelbenchTemplates: readFileSync(code).toString('base64') });
const { render } = await import('#language-server/engine/realm/render.ts');
const realm = await import('#language-server/engine/realm/templates.ts');

/** The template engine of the model compiler, without its sandbox. */
export const { templateEngine } = realm;

/** The platform's template engine, without its sandbox. */
export const templates: TemplateEngine = { render: async (questions) => render(questions) };

/** Renders the templates of a model, as the language server does. */
export function renderTemplates(index: ModelIndex): void {
  const root = index.root ?? '';
  const model = new ModelTemplates(index);
  const nameOf = (path: string): string => path.slice(root.length);
  const answer = render(model.questions(nameOf));
  for (const result of model.results(answer, nameOf)) index.setTemplate(result);
}

/** Returns a model in one text with its templates rendered; see `fixture`. */
export function renderedFixture(text: string): Fixture {
  const model = fixture(text);
  renderTemplates(model.index);
  return model;
}
