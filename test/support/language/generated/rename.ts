import { type ModelIndex, rangeInFile } from '#model/index.ts';
import { rename, type RenameEdit } from '#model/usages/rename.ts';
import type { Subject } from '#model/usages/usages.ts';
import { indexOf } from '../problems.ts';
import { renderTemplates } from '../rendered.ts';
import type { ModelTexts } from '../injected/run-mistakes.ts';

/** What a rename makes of a model, or why it is refused. */
export type Renamed = { readonly texts: ModelTexts } | { readonly refusal: string };

/** Renames each cube, view and member of a model in turn to a new name. */
export function renamedModels(model: ModelTexts): ReadonlyMap<string, Renamed> {
  const index = indexOf(model);
  renderTemplates(index);
  const results = new Map<string, Renamed>();
  for (const [name, subject] of subjectsOf(index)) {
    const result = rename(subject, 'fresh_name', index);
    results.set(name, result.ok ? { texts: applied(model, result.value, index) } : { refusal: result.error });
  }
  return results;
}

function subjectsOf(index: ModelIndex): ReadonlyMap<string, Subject> {
  const subjects = new Map<string, Subject>();
  for (const entity of index.entities()) {
    subjects.set(entity.name, { is: 'entity', entity });
    if (entity.kind !== 'cube') continue;
    for (const { name, member } of index.membersOf(entity).byName.values())
      subjects.set(`${entity.name}.${name}`, { is: 'member', member });
  }
  return subjects;
}

function applied(model: ModelTexts, edits: readonly RenameEdit[], index: ModelIndex): ModelTexts {
  const texts: Record<string, string> = { ...model };
  const placed = edits.flatMap(({ entity, start, end, text }) => {
    const placement = index.placement(entity.chunk);
    return placement ? [{ path: placement.file.path, ...rangeInFile(placement, start, end), text }] : [];
  });
  for (const { path, start, end, text } of placed.sort((a, b) => b.start - a.start)) {
    const before = texts[path] ?? '';
    texts[path] = before.slice(0, start) + text + before.slice(end);
  }
  return texts;
}
