import { textHash } from '#base/text-hash.ts';
import type { Effective } from './effective.ts';
import { type Chunk, ChunkNotes } from './chunk.ts';
import type { ModelIndex } from './index.ts';
import type { EntitySymbol } from './symbols.ts';

/** A cube or view as queries, reports and dashboards know it. */
export interface Vocabulary {
  readonly name: string;
  readonly kind: 'cube' | 'view';
  /** Equal for equal texts. */
  readonly fingerprint: string;
  readonly members: ReadonlyMap<string, VocabularyEntry>;
}

export interface VocabularyEntry {
  /** `dimension string`, `measure sum`, `segment`. */
  readonly type: string;
  /** Two members with equal definitions are the same under two names. */
  readonly definition: string;
}

/** The change of a member. Names are without the cube's. */
export type MemberChange =
  | { readonly kind: 'added' | 'removed'; readonly name: string; readonly type: string }
  | { readonly kind: 'retyped'; readonly name: string; readonly from: string; readonly to: string }
  /** One name was removed, another one with the same definition was added. */
  | { readonly kind: 'renamed'; readonly name: string; readonly to: string };

/** Returns all cubes and views of a model by name; of two with one name, the first. */
export function vocabularyOf(index: ModelIndex): ReadonlyMap<string, Vocabulary> {
  const found = new Map<string, Vocabulary>();
  for (const entity of index.entities()) {
    if (entity.kind === 'viewGroup' || found.has(entity.name)) continue;
    const members = new Map<string, VocabularyEntry>();
    for (const [name, member] of membersWithLabels(entity, index)) members.set(name, vocabularyEntry(member));
    found.set(entity.name, { name: entity.name, kind: entity.kind, fingerprint: fingerprint(entity.chunk), members });
  }
  return found;
}

/** Returns the changes between two states of one cube or view. */
export function memberChanges(before: Vocabulary['members'], after: Vocabulary['members']): readonly MemberChange[] {
  const changes: MemberChange[] = [];
  const added = new Map([...after].filter(([name]) => !before.has(name)));
  for (const [name, member] of before) {
    const there = after.get(name);
    if (there) {
      if (there.type !== member.type) changes.push({ kind: 'retyped', name, from: member.type, to: there.type });
      continue;
    }
    const counterpart = [...added].find(([, other]) => other.definition === member.definition);
    if (counterpart) {
      added.delete(counterpart[0]);
      changes.push({ kind: 'renamed', name, to: counterpart[0] });
    } else changes.push({ kind: 'removed', name, type: member.type });
  }
  for (const [name, { type }] of added) changes.push({ kind: 'added', name, type });
  return changes;
}

/**
 * Returns the changes of a cube or view since an earlier state of its model. Cheap if nothing changed: members of a cube with the
 * same text are not compared. `same` returns whether a cube's text is unchanged.
 */
export function changesSince(
  before: Vocabulary,
  entity: EntitySymbol,
  index: ModelIndex,
  same: (entity: EntitySymbol) => boolean,
): readonly MemberChange[] {
  const members = membersWithLabels(entity, index);
  const changed = members.filter(([name, { owner }]) => !before.members.has(name) || !same(owner));
  const kept = new Set(
    members.filter(([name, { owner }]) => before.members.has(name) && same(owner)).map(([name]) => name),
  );
  const after = new Map(changed.map(([name, member]) => [name, vocabularyEntry(member)]));
  return memberChanges(new Map([...before.members].filter(([name]) => !kept.has(name))), after);
}

const fingerprints = new ChunkNotes<string>();

/** Returns a short text that differs between any two texts that a user would write. */
export function fingerprint(chunk: Chunk): string {
  let known = fingerprints.get(chunk);
  if (known === undefined) {
    known = `${chunk.text.length}.${textHash(chunk.text)}`;
    fingerprints.set(chunk, known);
  }
  return known;
}

function membersWithLabels(entity: EntitySymbol, index: ModelIndex): readonly (readonly [string, Effective])[] {
  return [...index.membersOf(entity).byName].filter(([, { kind }]) => kind !== 'preAggregation');
}

function vocabularyEntry({ kind, member, owner }: Effective): VocabularyEntry {
  const type = [kind, member.text('type')].filter((part) => part !== undefined).join(' ');
  return { type, definition: JSON.stringify([owner.name, type, member.text('sql') ?? '']) };
}
