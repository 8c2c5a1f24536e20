import { append } from '#base/long-lists.ts';
import { baseName } from '#base/path.ts';
import type { RenderTemplates } from '#model/templates/render-model.ts';
import type { ModelIndex } from '#model/index.ts';
import { resolve } from '#model/resolve.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import { vocabularyOf, type MemberChange, memberChanges } from '#model/vocabulary.ts';
import { withAffected } from './affected.ts';
import type { BrokenReference, ModelChange, ModelImpact, ModelTexts } from './model-changes.ts';
import { queryUses } from './query-uses.ts';
import { modelReader } from './read-model.ts';
import { redefinitions } from './redefined.ts';

/** Resolves to the effects of a change of files on users of the model; `render` renders its templates where it can. */
export async function modelImpact(
  before: ModelTexts,
  after: ModelTexts,
  render: RenderTemplates,
): Promise<ModelImpact> {
  const open = modelReader(render);
  return impactBetween(await open(before), await open(after), after);
}

/**
 * Does the same for a few files of a model. The other files are the same on both sides, so it compares only those that name what
 * changes or define what the changed files name, and templates, because only rendering shows what they name; `others` reads them
 * all.
 */
export async function impactOfFiles(
  before: ModelTexts,
  after: ModelTexts,
  others: () => Promise<ModelTexts>,
  render: RenderTemplates,
): Promise<ModelImpact> {
  const open = modelReader(render);
  const known = new Map<string, string>();
  for (;;) {
    const old = await open(new Map([...known, ...before]));
    const now = await open(new Map([...known, ...after]));
    const changes = modelChanges(old, now);
    const names = new Set([...namesToFind(old, now), ...changes.flatMap(namesToFollow)]);
    const isImporter = importsOneOf(changedScripts(before, after, now));
    const isNeeded = names.size > 0 || isImporter || hasTemplates(old) || hasTemplates(now);
    const found = isNeeded
      ? [...(await others())].filter(([path, text]) => {
          if (known.has(path)) return false;
          return isTemplate(text) || isImporter?.(path, text) || [...names].some((name) => text.includes(name));
        })
      : [];
    if (found.length === 0) return impactOf(old, now, changes, new Map([...known, ...after]));
    for (const [path, text] of found) known.set(path, text);
  }
}

/** Returns the changes between two models. `texts` are searched for query files. */
export function impactBetween(old: ModelIndex, now: ModelIndex, texts: ModelTexts): ModelImpact {
  return impactOf(old, now, modelChanges(old, now), texts);
}

function impactOf(old: ModelIndex, now: ModelIndex, changes: readonly ModelChange[], texts: ModelTexts): ModelImpact {
  const known = new Set(brokenReferences(old).map(identity));
  return {
    changes,
    queries: queryUses(changes, texts),
    // References that were already broken are not an effect of this change.
    broken: brokenReferences(now).filter((reference) => !known.has(identity(reference))),
    incomplete: old.dynamic || now.dynamic,
  };
}

/** Returns the paths of scripts that differ, and of scripts of the model that import one of them, directly or by others. */
function changedScripts(before: ModelTexts, after: ModelTexts, model: ModelIndex): ReadonlySet<string> {
  const paths = [...before.keys(), ...after.keys()];
  const changed = new Set(paths.filter((path) => isScript(path) && before.get(path) !== after.get(path)));
  for (const path of changed)
    for (const { path: other, chunks } of model.files())
      if (chunks.some(({ chunk }) => chunk.imports?.some((each) => `/${path}`.endsWith(`/${each.path}`))))
        changed.add(other);
  return changed;
}

/** Returns a test whether a script imports a file with the name of one of these; `undefined` if there are none. */
function importsOneOf(paths: ReadonlySet<string>): ((path: string, text: string) => boolean) | undefined {
  if (paths.size === 0) return undefined;
  const names = [...paths].map((path) => baseName(path).slice(0, -'.js'.length));
  return (path, text) =>
    isScript(path) &&
    names.some((name) =>
      [`/${name}`, `/${name}.js`].some((end) => ["'", '"'].some((quote) => text.includes(end + quote))),
    );
}

function isScript(path: string): boolean {
  return path.endsWith('.js');
}

/** Whether a text may be a template. If it is none, reading it was unnecessary but did no harm. */
function isTemplate(text: string): boolean {
  return /\{[{%]/.test(text);
}

function hasTemplates(index: ModelIndex): boolean {
  for (const { jinja } of index.files()) if (jinja.length > 0) return true;
  return false;
}

/** Returns cubes and views that the files name and do not define. */
function namesToFind(...indexes: readonly ModelIndex[]): readonly string[] {
  return indexes.flatMap((index) =>
    index.entities().flatMap((owner) =>
      owner.references.flatMap((reference) => {
        const { unknown } = resolve(reference, owner, index);
        return unknown && !unknown.within ? [unknown.segment.text] : [];
      }),
    ),
  );
}

/** Returns the cubes and views that lose or gain something, or whose queries return something else. */
function namesToFollow(change: ModelChange): readonly string[] {
  return change.kind === 'redefined' && change.keys.length === 0 ? [] : change.name.split('.', 1);
}

function modelChanges(before: ModelIndex, after: ModelIndex): readonly ModelChange[] {
  const old = vocabularyOf(before);
  const now = vocabularyOf(after);
  const changes: ModelChange[] = [];
  for (const [name, { kind, members }] of old) {
    const there = now.get(name);
    if (!there) changes.push({ kind: 'removed', what: kind, name });
    else
      append(
        changes,
        memberChanges(members, there.members).map((change) => memberChange(name, change)),
      );
  }
  for (const [name, { kind }] of now) if (!old.has(name)) changes.push({ kind: 'added', what: kind, name });
  const renamed = new Map(changes.flatMap((each) => (each.kind === 'renamed' ? [[each.name, each.to]] : [])));
  append(changes, withAffected(redefinitions(before, after, renamed), after));
  return changes.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function memberChange(owner: string, change: MemberChange): ModelChange {
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
  return index.placement(owner.chunk)?.file.path ?? '';
}

function identity({ owner, names, key }: BrokenReference): string {
  return JSON.stringify([owner, names, key]);
}
