import type { ModelFile } from '#model/file.ts';
import type { CompiledModel } from '#model/engine/engine-refusals.ts';
import type { EngineFile } from '#language-server/engine/messages.ts';
import type { ModelRoot } from '#language-server/workspace/workspace.ts';

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
  const found = new Map<string, ModelFile | undefined>();
  return {
    index,
    fileNamed: (name) => {
      // A URI escapes what a name may contain, and editors do not agree on which characters.
      byName ??= new Map([...index.files()].map((file) => [nameIn(uri, file), file]));
      // A compiler can name one file in each of thousands of errors.
      if (!found.has(name)) found.set(name, byName.get(name) ?? withoutExtension(byName, name) ?? alike(byName, name));
      return found.get(name);
    },
  };
}

/** Returns the file that a name without its extension means; undefined where several have it. */
function withoutExtension(byName: ReadonlyMap<string, ModelFile>, name: string): ModelFile | undefined {
  const found = [...byName].filter(
    ([each]) => /^\.(?:ya?ml|js)(?:\.jinja)?$/.test(each.slice(name.length)) && each.startsWith(name),
  );
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/** Returns the file whose name differs in letter case or Unicode form only; undefined where several do. */
function alike(byName: ReadonlyMap<string, ModelFile>, name: string): ModelFile | undefined {
  const wanted = folded(name);
  const found = [...byName].filter(([each]) => folded(each) === wanted);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function nameIn(root: string, { path }: ModelFile): string {
  const name = path.slice(root.length + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
