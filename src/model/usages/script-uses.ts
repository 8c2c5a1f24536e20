import type { ModelIndex } from '#model/index.ts';
import { resolve } from '#model/resolve.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import type { ModelFile } from '#model/file.ts';
import { type Subject, subjectOf, type Usage } from './usages.ts';

/** A range of a file by its start. */
export type CoveredStarts = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * Returns a script whose code may use a subject where no rename reaches it: in a constant, in a function or its parameters, or in a
 * file that others import. `edited`: the starts of the texts that are renamed, by file.
 */
export function scriptUsing(
  subject: Subject,
  name: string,
  edited: CoveredStarts,
  index: ModelIndex,
): ModelFile | undefined {
  const use = usePattern(subject, name);
  for (const file of index.files()) {
    if (file.language !== 'script' || !file.text.includes(name)) continue;
    const code = withoutComments(file.text);
    const starts = [...code.matchAll(use)].map(({ index: at, 0: text }) => at + text.lastIndexOf(name));
    const open = starts.filter((at) => edited.get(file.path)?.has(at) !== true);
    if (open.length === 0) continue;
    const others = startsOfOthers(file, subject, name, index);
    if (open.some((at) => !others.has(at))) return file;
  }
  return undefined;
}

/** Returns a pattern of code that refers to a subject: behind a dot, in a template, in brackets, or as a parameter. */
function usePattern({ is }: Subject, name: string): RegExp {
  const parameter = String.raw`(?<=\([\w$\s,]*)\b${name}\b(?=[\w$\s,]*\)\s*=>)|\b${name}\b(?=\s*=>)`;
  const inTemplate = String.raw`\$\{\s*${name}\b`;
  const own =
    is === 'entity' ? String.raw`(?<![.\w$])${name}\s*(?=[.[])` : String.raw`\.\s*${name}\b|\[\s*['"\`]${name}\b`;
  return new RegExp(`${parameter}|${inTemplate}|${own}`, 'g');
}

/** Replaces comments by spaces; the address of a web page is not one. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|(?<![:'"`\w])\/\/.*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
}

/** Returns where a name in a script is known to mean something else. */
function startsOfOthers(file: ModelFile, subject: Subject, name: string, index: ModelIndex): ReadonlySet<number> {
  const found = entitiesIn(file, index).flatMap((entity) => namedIn(entity, subject, name, index));
  const own = new Set(found.filter(({ isOwn }) => isOwn).map(({ segment }) => segment.start));
  return new Set(found.map(({ segment }) => segment.start).filter((start) => !own.has(start)));
}

/** Returns the references of an entity in which a name occurs, and whether they refer to the subject. */
function namedIn(entity: EntitySymbol, subject: Subject, name: string, index: ModelIndex) {
  return entity.references.flatMap((reference) => {
    const at = reference.segments.findIndex(({ text }) => text === name);
    const segment = reference.segments[at];
    // Code of another file is read there.
    if (!segment || segment.start > (entity.chunk.script?.length ?? Infinity)) return [];
    const referent = resolve(reference, entity, index).referents[at];
    const found = referent && subjectOf(referent);
    return [{ reference, segment, isOwn: found !== undefined && isSame(found, subject) }];
  });
}

/** Returns the definitions of a script, as they are written and as they are when it runs. */
function entitiesIn(file: ModelFile, index: ModelIndex): readonly EntitySymbol[] {
  const own = index.entities().filter(({ chunk }) => index.placement(chunk)?.file === file);
  return own.flatMap((entity) => [entity, ...entity.expansions]);
}

function isSame(one: Subject, other: Subject): boolean {
  if (one.is === 'entity') return other.is === 'entity' && one.entity.name === other.entity.name;
  if (one.is === 'alias') return other.is === 'alias' && one.node === other.node;
  return (
    other.is === 'member' && one.member.name === other.member.name && one.member.owner.name === other.member.owner.name
  );
}

/**
 * Returns the uses of a subject in what the scripts of a model make of their definitions: in constants and functions outside of
 * them. Undefined if the same code also refers to something else, because it makes several members or cubes.
 */
export function usesWhenRun(subject: Subject, name: string, index: ModelIndex): readonly Usage[] | undefined {
  const uses = new Map<string, Usage>();
  for (const entity of index.entities().flatMap(({ expansions }) => expansions))
    for (const { reference, segment, isOwn } of namedIn(entity, subject, name, index)) {
      const key = `${index.placement(entity.chunk)?.file.path} ${segment.start}`;
      if (isOwn) uses.set(key, { entity, ...segment, role: 'reference', reference });
    }
  const isShared = index
    .entities()
    .flatMap(({ expansions }) => expansions)
    .some((entity) =>
      namedIn(entity, subject, name, index).some(
        ({ segment, isOwn }) => !isOwn && uses.has(`${index.placement(entity.chunk)?.file.path} ${segment.start}`),
      ),
    );
  return isShared ? undefined : [...uses.values()];
}

/** Returns the parameters that uses in a script refer to by the same name: `(users) => users.id`. */
export function parametersOf(uses: readonly Usage[]): readonly Usage[] {
  return uses.flatMap((use): Usage[] => {
    const { chunk } = use.entity;
    if (chunk.kind !== 'script' || /[.\w]\s*$/.test(chunk.text.slice(Math.max(0, use.start - 3), use.start))) return [];
    const start = parameterBefore(chunk.text, use.start, use.text);
    return start === undefined ? [] : [{ ...use, start, end: start + use.text.length }];
  });
}

/** Returns where the parameter of the function around an offset is that has a name. */
function parameterBefore(text: string, at: number, name: string): number | undefined {
  const pattern = new RegExp(String.raw`(?:\(([\w$\s,]*)\)|\b(${name}))\s*=>\s*`, 'g');
  let found: number | undefined;
  for (const { index: start, 0: head } of text.slice(0, at).matchAll(pattern)) {
    const [own] = new RegExp(String.raw`\b${name}\b`).exec(head) ?? [];
    if (own === undefined || !isInBody(text.slice(start + head.length, at))) continue;
    found = start + head.search(new RegExp(String.raw`\b${name}\b`));
  }
  return found;
}

/** Checks whether what follows an arrow up to an offset is in the body of its function. */
function isInBody(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    if (depth < 0 || (depth === 0 && character === ';')) return false;
  }
  return true;
}
