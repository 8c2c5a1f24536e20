import type { ModelFile } from '#model/file.ts';
import type { CompiledModel } from '#model/engine-refusals.ts';
import type { EngineFile } from './engine/messages.ts';
import type { ModelRoot } from './workspace.ts';

/** Returns files in the form that the engine takes: their names are relative to the model's root (a URI). */
export function engineFiles(root: string, files: Iterable<ModelFile>): readonly EngineFile[] {
  return [...files].map((file) => ({
    fileName: nameIn(root, file),
    content: file.text,
  }));
}

/** Returns the model of a root with the names that the engine has for its files. */
export function compiledModel({ index, uri }: ModelRoot): CompiledModel {
  let byName: ReadonlyMap<string, ModelFile> | undefined;
  return {
    index,
    fileNamed: (name) => {
      // A URI escapes what a name may contain, and editors do not agree on which characters.
      byName ??= new Map([...index.files()].map((file) => [nameIn(uri, file), file]));
      return byName.get(name);
    },
  };
}

function nameIn(root: string, { path }: ModelFile): string {
  return decodeURIComponent(path.slice(root.length + 1));
}
