import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TemplateEngine } from '#language-server/host.ts';
import type { ModelIndex } from '#model/index.ts';
import { ModelTemplates } from '#model/templates/model-templates.ts';
import { type Fixture, fixture } from './model.ts';

// The sandbox evaluates the machine code of the template library as a text before everything else.
const code = createRequire(import.meta.url).resolve('minijinja-js/dist/web/minijinja_js_bg.wasm');
Object.assign(globalThis, { modelbenchTemplates: readFileSync(code).toString('base64') });
const { render } = await import('#language-server/engine/realm/render.ts');
const realm = await import('#language-server/engine/realm/templates.ts');

/** The template engine that the compiler of models uses, without the sandbox around it. */
export const { templateEngine } = realm;

/** The platform's template engine, without the sandbox around it. */
export const templates: TemplateEngine = { render: async (questions) => render(questions) };

/** Has the template engine render the templates of a model, as the language server does. */
export function renderTemplates(index: ModelIndex): void {
  const root = index.root ?? '';
  const model = new ModelTemplates(index);
  const answer = render(model.questions((path) => path.slice(root.length)));
  for (const [path, rendering] of model.renderings(answer)) index.setRendering(path, rendering);
}

/** A model in one text whose templates were rendered; see `fixture`. */
export function renderedFixture(text: string): Fixture {
  const model = fixture(text);
  renderTemplates(model.index);
  return model;
}
