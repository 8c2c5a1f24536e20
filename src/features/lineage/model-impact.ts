import { isModelPath, parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { resolve } from '#model/resolve.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import { vocabularyOf, type WordChange, wordChanges } from '#model/vocabulary.ts';
import type { BrokenReference, ModelChange, ModelImpact, ModelTexts } from './model-changes.ts';

/** What a change of files means for those who use the model. */
export function modelImpact(before: ModelTexts, after: ModelTexts): ModelImpact {
  const old = indexOf(before);
  const now = indexOf(after);
  const known = new Set(brokenReferences(old).map(identity));
  return {
    changes: modelChanges(old, now),
    // What was broken before is not this change's doing.
    broken: brokenReferences(now).filter((reference) => !known.has(identity(reference))),
    incomplete: old.dynamic || now.dynamic,
  };
}

function indexOf(texts: ModelTexts): ModelIndex {
  const index = new ModelIndex();
  for (const [path, text] of texts) if (isModelPath(path)) index.set(parseFile(path, text));
  return index;
}

function modelChanges(before: ModelIndex, after: ModelIndex): readonly ModelChange[] {
  const old = vocabularyOf(before);
  const now = vocabularyOf(after);
  const changes: ModelChange[] = [];
  for (const [name, { kind, members }] of old) {
    const there = now.get(name);
    if (!there) changes.push({ kind: 'removed', what: kind, name });
    else changes.push(...wordChanges(members, there.members).map((change) => memberChange(name, change)));
  }
  for (const [name, { kind }] of now) if (!old.has(name)) changes.push({ kind: 'added', what: kind, name });
  return changes.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function memberChange(owner: string, change: WordChange): ModelChange {
  const name = `${owner}.${change.name}`;
  if (change.kind === 'renamed') return { ...change, what: 'member', name, to: `${owner}.${change.to}` };
  return { ...change, what: 'member', name };
}

function brokenReferences(index: ModelIndex): readonly BrokenReference[] {
  return index.entities().flatMap((owner) =>
    owner.references.flatMap((reference) => {
      const { unknown } = resolve(reference, owner, index);
      if (!unknown) return [];
      const names = reference.segments.map(({ text }) => text).join('.');
      return [{ owner: owner.name, path: pathOf(owner, index), names, key: reference.key }];
    }),
  );
}

function pathOf(owner: EntitySymbol, index: ModelIndex): string {
  return index.placement(owner.part)?.file.path ?? '';
}

function identity({ owner, names, key }: BrokenReference): string {
  return JSON.stringify([owner, names, key]);
}
