import { Environment, initSync } from 'minijinja-js/dist/web/minijinja_js.js';
import { bytesOfBase64 } from './shims/text.ts';

/** The calls that the engine makes on its template engine, and its disposal. */
export interface TemplateEngine {
  loadTemplate(name: string, source: string): void;
  renderTemplate(name: string, context: unknown, globals: Readonly<Record<string, unknown>>): Promise<string>;
  /** Releases its memory explicitly, because the realm has no time for garbage collection. */
  free(): void;
}

/** The host evaluates the library's WebAssembly code as a text before everything else. */
const name = 'modelbenchTemplates';
let base64 = (globalThis as { readonly modelbenchTemplates?: string })[name] ?? '';
Reflect.deleteProperty(globalThis, name);

/**
 * Creates a template engine on the library that the platform also uses. It is initialized with the first template, because most
 * models have none.
 */
export function templateEngine(filters: Readonly<Record<string, unknown>> = {}): TemplateEngine {
  const open = lazily(() => {
    const environment = createTemplateEnvironment();
    for (const [filterName, filter] of Object.entries(filters))
      if (typeof filter === 'function') environment.addFilter(filterName, filter);
    return environment;
  });
  const sources = new Map<string, string>();
  const added = new Set<string>();
  return {
    loadTemplate: (template, source) => {
      sources.set(template, source);
      added.delete(template);
    },
    renderTemplate: async (template, context, globals) => {
      const source = sources.get(template) ?? '';
      // The engine takes every file that contains `}}` (where two flow mappings end together) for a template.
      if (!/\{[{%#]/.test(source)) return source;
      const environment = open.get();
      for (const [each, text] of sources) if (!added.has(each)) addTemplate(environment, each, text);
      for (const each of sources.keys()) added.add(each);
      try {
        return environment.renderTemplate(template, { ...globals, COMPILE_CONTEXT: context });
      } catch (error) {
        throw errorOf(error);
      }
    },
    free: () => open.made()?.free(),
  };
}

/** Creates the template library's environment as the platform sets it up. Its WebAssembly code is compiled the first time. */
export function createTemplateEnvironment(): Environment {
  if (base64) initSync({ module: bytesOfBase64(base64) });
  base64 = '';
  const environment = new Environment();
  environment.enablePyCompat();
  return environment;
}

/** Names of templates whose output the library itself writes as JSON does. */
const WRITTEN_AS_JSON = /\.(?:ya?ml|json5?|js)(?:\.j2)?$/;
const BEFORE = '{% autoescape "json" %}';
const AFTER = '{% endautoescape %}';

/**
 * Adds a template so that it renders as on the platform, which quotes texts in every template, regardless of its name
 * (docs/model-language.md#templates). Throws if the library cannot parse it.
 */
export function addTemplate(environment: Environment, name: string, source: string): void {
  environment.addTemplate(name, source);
  // The library drops a line break at the very end.
  if (!WRITTEN_AS_JSON.test(name)) environment.addTemplate(name, `${BEFORE}${source.replace(/\r?\n$/, '')}${AFTER}`);
}

/** Removes the text that `addTemplate` adds from an error of the library. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  error.message = error.message.replace(BEFORE, '').replace(AFTER, '');
  return error;
}

function lazily<T>(make: () => T): { get(): T; made(): T | undefined } {
  let made: T | undefined;
  return { get: () => (made ??= make()), made: () => made };
}
