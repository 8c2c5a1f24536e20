import { createRequire } from 'node:module';
import type * as minijinja from 'minijinja-js';

/** The two calls that the engine makes on its Jinja engine. */
export interface JinjaEngine {
  loadTemplate(name: string, source: string): void;
  renderTemplate(name: string, context: unknown, globals: Readonly<Record<string, unknown>>): Promise<string>;
}

/** A Jinja engine on the WASM build of the same template library that the hosted engine uses natively. */
export function createJinjaEngine(filters: Readonly<Record<string, unknown>> = {}): JinjaEngine {
  // Loaded at the first template: most models have none, and instantiating WASM costs tens of milliseconds.
  let environment: minijinja.Environment | undefined;
  const open = (): minijinja.Environment => {
    if (environment) return environment;
    const { Environment } = createRequire(import.meta.url)('minijinja-js') as typeof minijinja;
    environment = new Environment();
    environment.enablePyCompat();
    environment.debug = true;
    for (const [name, filter] of Object.entries(filters)) {
      if (typeof filter === 'function') environment.addFilter(name, filter);
    }
    return environment;
  };
  return {
    loadTemplate: (name, source) => open().addTemplate(name, source),
    renderTemplate: async (name, context, globals) =>
      open().renderTemplate(name, { ...globals, COMPILE_CONTEXT: context }),
  };
}
