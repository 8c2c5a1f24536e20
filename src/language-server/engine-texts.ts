import type { ModelFile } from '#model/file.ts';
import type { CompiledModel } from '#model/engine-refusals.ts';
import type { EngineFile } from './engine/messages.ts';
import type { ModelRoot } from './workspace.ts';

/** Returns files in the form that the engine takes: their names are relative to the model's root (a URI). */
export function engineFiles(root: string, files: Iterable<ModelFile>): readonly EngineFile[] {
  return [...files].map(({ path, text }) => ({
    fileName: decodeURIComponent(path.slice(root.length + 1)),
    content: text,
  }));
}

/** Returns the model of a root with the names that the engine has for its files. */
export function compiledModel({ index, uri }: ModelRoot): CompiledModel {
  return { index, fileNamed: (name) => index.file(`${uri}/${name}`) };
}
