import { err, ok, type Result } from '#base/result.ts';
import { usedByAlias } from './aliased-members.ts';
import { type ModelIndex, rangeInFile } from '#model/index.ts';
import { nounOfKind } from '#model/kind-nouns.ts';
import { isPutTogether } from '#model/read.ts';
import { type CoveredStarts, parametersOf, scriptUsing, usesWhenRun } from './script-uses.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import { isDynamic, walk, withEllipses } from '#model/syntax/tree.ts';
import { type Subject, type Usage, usagesOf } from './usages.ts';

/** One replacement; offsets are those of the entity's chunk. */
export interface RenameEdit {
  readonly entity: EntitySymbol;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the name as written in its definition. */
export function subjectName(subject: Subject): string {
  if (subject.is === 'entity') return subject.entity.name;
  return subject.is === 'member' ? subject.member.name : subject.node.value;
}

/**
 * Returns the edits that rename a subject everywhere, or an error that explains why it cannot be renamed. `alike` are the
 * subjects that the same template text names: they are renamed together.
 */
export function rename(
  subject: Subject,
  name: string,
  index: ModelIndex,
  alike: readonly Subject[] = [],
): Result<readonly RenameEdit[], string> {
  const old = subjectName(subject);
  if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name))
    return err(`“${name}” is not a name: use letters, digits and _, starting with a letter or _.`);
  if (name === old) return ok([]);
  const all = [subject, ...alike];
  for (const each of all) {
    const refusal =
      computedName(each) ??
      takenBy(each, name, index) ??
      hiddenUse(each, index) ??
      aliasedUse(each, index) ??
      useOfMade(each, index);
    if (refusal !== undefined) return err(refusal);
  }
  const usages = all.flatMap((each) => usagesOf(each, index));
  const run = all.map((each) => usesWhenRun(each, old, index));
  if (run.includes(undefined))
    return err(`Code that refers to “${old}” is also used for other names: rename it there manually.`);
  const keyOf = ({ entity, start }: Usage): string => `${index.placement(entity.chunk)?.file.path} ${start}`;
  const known = new Set(usages.filter(({ entity }) => entity.chunk.kind === 'script').map(keyOf));
  const found = [...usages, ...run.flatMap((each) => each ?? []).filter((each) => !known.has(keyOf(each)))];
  const parameters = new Map(parametersOf(found).map((each) => [keyOf(each), each]));
  const written = writtenUsages([...found, ...parameters.values()], index);
  if (!written.ok) return written;
  const edited = startsByFile(written.value, index);
  for (const each of all) {
    const file = scriptUsing(each, old, edited, index);
    if (file) return err(mayUse(file.path, old));
  }
  const edits = written.value.flatMap(({ entity, start, end, text, role }): RenameEdit[] => {
    if (role !== 'implied') return [{ entity, start, end, text: name }];
    // A prefixed member begins with the cube's name and ends with its own.
    const replaced =
      subject.is === 'entity' ? name + text.slice(old.length) : text.slice(0, text.length - old.length) + name;
    return [{ entity, start, end, text: replaced }];
  });
  return ok(edits);
}

/** Keeps the first usage at each place: several subjects of one template text can have the same ones. */
function uniqueUsages(usages: readonly Usage[], index: ModelIndex): readonly Usage[] {
  const seen = new Set<string>();
  return usages.filter(({ entity, start }) => {
    const placed = index.placement(entity.chunk);
    // Each copy of a template text counts.
    const place = `${placed?.file.path ?? ''} ${placed?.rendering ? 'rendered' : ''} ${(placed?.start ?? 0) + start}`;
    const isNew = !seen.has(place);
    seen.add(place);
    return isNew;
  });
}

/** Checks for a cube of a script whose name code puts together. */
function hasComputedName({ nameNode, chunk }: EntitySymbol): boolean {
  return nameNode !== undefined && isPutTogether(chunk, nameNode);
}

/** Returns a refusal for a member that is named behind the name of a cube that a script computes. */
function useOfMade(subject: Subject, index: ModelIndex): string | undefined {
  if (subject.is !== 'member' || !subject.member.owner.dynamic) return undefined;
  const { name } = subject.member;
  const isMade = (cube: string | undefined): boolean =>
    cube !== undefined && index.entity(cube) === undefined && index.made(cube) !== undefined;
  const using = index
    .entities()
    .find(
      (entity) =>
        entity.cubes.some(
          ({ path, includes }) =>
            isMade(path?.segments.at(-1)?.text) &&
            Array.isArray(includes) &&
            includes.some(({ nameNode }) => nameNode.value === name),
        ) ||
        entity.references.some(({ segments }) =>
          segments.some(({ text }, at) => text === name && isMade(segments[at - 1]?.text)),
        ),
    );
  return (
    using &&
    `A script computes the name of the cube of “${name}”, and “${using.name}” uses it: rename it there manually.`
  );
}

/**
 * Returns the usages to edit, each template text once. A template that computes a name, or whose text also names other subjects,
 * cannot be edited.
 */
export function writtenUsages(usages: readonly Usage[], index: ModelIndex): Result<readonly Usage[], string> {
  const written: Usage[] = [];
  const copies = new Map<string, { count: number; readonly all: number; readonly refusal: string }>();
  for (const usage of uniqueUsages(usages, index)) {
    const placed = index.placement(usage.entity.chunk);
    if (!placed?.rendering) {
      if (placed && index.rendering(placed.file.path))
        return err('The template was just changed, and what it makes is not known yet: try again in a moment.');
      const { chunk } = usage.entity;
      if (placed && chunk.kind === 'script' && chunk.text.slice(usage.start, usage.end) !== usage.text)
        return err(`A constant in ${fileName(placed.file.path)} holds “${usage.text}”: change the constant.`);
      written.push(usage);
      continue;
    }
    const { file, rendering } = placed;
    const { start, end, isExact } = rangeInFile(placed, usage.start, usage.end);
    const name = fileName(file.path);
    if (!isExact || file.text.slice(start, end) !== usage.text)
      return err(`The template ${name} computes “${usage.text}”: change the template.`);
    const key = `${file.path} ${start}`;
    const known = copies.get(key);
    const refusal = `The text “${usage.text}” in the template ${name} also stands for other names: rename it there.`;
    if (known) known.count++;
    else {
      copies.set(key, { count: 1, all: rendering.map.copiesOf(start, end), refusal });
      written.push(usage);
    }
  }
  const shared = [...copies.values()].find(({ count, all }) => count < all);
  return shared ? err(shared.refusal) : ok(written);
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function computedName(subject: Subject): string | undefined {
  const name = subjectName(subject);
  const isComputed =
    isDynamic(name) || (subject.is === 'entity' && (subject.entity.dynamic || hasComputedName(subject.entity)));
  return isComputed
    ? `“${withEllipses(name)}” is generated when the model runs: change the code that generates it.`
    : undefined;
}

/** Finds a use in code that only running it would reveal, where a rename would miss it. */
function hiddenUse(subject: Subject, index: ModelIndex): string | undefined {
  const name = subjectName(subject);
  const pattern =
    subject.is === 'entity'
      ? new RegExp(`\\b${name}\\s*[.[]|\\$\\{\\s*${name}\\b`)
      : new RegExp(`(?:\\.\\s*|\\$\\{\\s*|\\[\\s*['"\`])${name}\\b`);
  for (const { chunk, entity } of index.entities()) {
    if (chunk.kind !== 'script') continue;
    let found = false;
    walk(entity.node, (node) => {
      if (node.kind === 'opaque' && pattern.test(chunk.text.slice(node.start, node.end))) found = true;
    });
    const path = found ? index.placement(chunk)?.file.path : undefined;
    if (path !== undefined) return mayUse(path, name);
  }
  return undefined;
}

/** Finds a use of a member of another cube that has it by an alias of YAML. */
function aliasedUse(subject: Subject, index: ModelIndex): string | undefined {
  const aliased = subject.is === 'member' ? usedByAlias(subject.member, index) : undefined;
  return (
    aliased &&
    `“${aliased.cube}” has “${subjectName(subject)}” by the alias *${aliased.anchor}, and uses of it there would be lost: rename it manually.`
  );
}

function mayUse(path: string, name: string): string {
  return `Code in ${fileName(path)} may use “${name}”, which is known only when it runs: rename it there manually.`;
}

function startsByFile(usages: readonly Usage[], index: ModelIndex): CoveredStarts {
  const starts = new Map<string, Set<number>>();
  for (const { entity, start, end } of usages) {
    const placed = index.placement(entity.chunk);
    if (!placed) continue;
    const known = starts.get(placed.file.path) ?? new Set();
    known.add(rangeInFile(placed, start, end).start);
    starts.set(placed.file.path, known);
  }
  return starts;
}

function takenBy(subject: Subject, name: string, index: ModelIndex): string | undefined {
  if (subject.is === 'entity') {
    const other = subject.entity.kind === 'viewGroup' ? index.viewGroup(name) : index.entity(name);
    return other && other !== subject.entity ? `A ${nounOfKind(other.kind)} is already called “${name}”.` : undefined;
  }
  const owner = subject.is === 'member' ? subject.member.owner : subject.view;
  const other = index.member(owner, name);
  return other ? `“${owner.name}” already has a ${nounOfKind(other.kind)} called “${name}”.` : undefined;
}
