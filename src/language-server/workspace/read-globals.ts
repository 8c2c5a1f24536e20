import { templateGlobals } from '#model/project/globals.ts';
import type { LanguageHost } from '#language-server/host.ts';
import type { ModelRoot } from './model-root.ts';

/** Returns the URI of the file that defines names for the templates of a model. */
export function globalsUri({ uri }: Pick<ModelRoot, 'uri'>): string {
  return `${uri}/globals.py`;
}

/** Reads the names that `globals.py` defines into a root and its index. */
export async function readGlobals(root: ModelRoot, host: Pick<LanguageHost, 'readFile'>): Promise<void> {
  const uri = globalsUri(root);
  const text = await host.readFile(uri);
  root.globals = text === undefined ? undefined : { uri, text, names: templateGlobals(text) };
  root.index.templateGlobals = {
    names: root.globals?.names.map(({ name }) => name) ?? [],
    // Where the file may be unreachable, it may exist.
    isPython: root.globals !== undefined || root.guessed === true || !root.uri.startsWith('file:'),
  };
}
