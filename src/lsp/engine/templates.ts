import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment, initSync } from 'minijinja-js/dist/web/minijinja_js.js';
import * as wasm from 'minijinja-js/dist/web/minijinja_js_bg.wasm';

/** The two calls that the engine makes on its template engine. */
export interface TemplateEngine {
  loadTemplate(name: string, source: string): void;
  renderTemplate(name: string, context: unknown, globals: Readonly<Record<string, unknown>>): Promise<string>;
}

/** The build puts the file beside the bundle; what is imported is its name. */
const { default: wasmFile } = wasm as unknown as { readonly default: string };
let isReady = false;

/** A template engine on the library that the platform uses too; the entry of a bundle of its own, for models that need it. */
export function templateEngine(filters: Readonly<Record<string, unknown>> = {}): TemplateEngine {
  if (!isReady) initSync({ module: readFileSync(join(__dirname, wasmFile)) });
  isReady = true;
  const environment = new Environment();
  environment.enablePyCompat();
  for (const [name, filter] of Object.entries(filters))
    if (typeof filter === 'function') environment.addFilter(name, filter);
  return {
    loadTemplate: (name, source) => environment.addTemplate(name, source),
    renderTemplate: async (name, context, globals) =>
      environment.renderTemplate(name, { ...globals, COMPILE_CONTEXT: context }),
  };
}
