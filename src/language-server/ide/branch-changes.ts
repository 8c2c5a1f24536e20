import { withArticle } from '#base/words.ts';
import type { Found } from '#model/checks/check.ts';
import { pathEnd } from '#model/effective.ts';
import type { Chunk } from '#model/file.ts';
import type { ModelIndex } from '#model/index.ts';
import { resolve } from '#model/resolve.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import { changesSince, fingerprint, type MemberChange } from '#model/vocabulary.ts';
import type { DeployedModel, ModelRoot, Opened } from '#language-server/workspace/workspace.ts';

/**
 * Returns problems for the members of a file's cubes and views that have another name or type on the deploy branch, or that exist
 * only there.
 */
export function branchChanges({ file, root }: Opened): Found[] {
  const { deployBranch } = root;
  if (!deployBranch) return [];
  return file.chunks.flatMap(({ chunk, start }) =>
    symbolsOf(chunk).flatMap((entity) =>
      changesOf(entity, root.index, deployBranch).flatMap((change) => found(change, entity, root, start)),
    ),
  );
}

/** Returns the full names that queries can no longer use: `orders.total`, and `orders.` for a whole cube. */
export function goneNames({ index, deployBranch }: ModelRoot): readonly string[] {
  if (!deployBranch) return [];
  const names = index
    .entities()
    .flatMap((entity) =>
      changesOf(entity, index, deployBranch).flatMap(({ kind, name }) =>
        kind === 'removed' || kind === 'renamed' ? [`${entity.name}.${name}`] : [],
      ),
    );
  // A template or script may generate the ones that no file defines.
  const missing = index.dynamic ? [] : [...deployBranch.cubes.keys()].filter((name) => !index.entity(name));
  const whole = missing.map((name) => `${name}.`);
  return [...names, ...whole].sort();
}

interface Compared {
  readonly structure: number;
  readonly branch: DeployedModel;
  readonly changes: readonly MemberChange[];
}
const compared = new WeakMap<EntitySymbol, Compared>();

function changesOf(entity: EntitySymbol, index: ModelIndex, branch: DeployedModel): readonly MemberChange[] {
  const before = compared.get(entity);
  if (before?.structure === index.structure && before.branch === branch) return before.changes;
  const changes = compare(entity, index, branch);
  compared.set(entity, { structure: index.structure, branch, changes });
  return changes;
}

function compare(entity: EntitySymbol, index: ModelIndex, { cubes }: DeployedModel): readonly MemberChange[] {
  const before = entity.kind === 'viewGroup' ? undefined : cubes.get(entity.name);
  if (!before || entity.chunk.templated) return [];
  const same = (owner: EntitySymbol): boolean => cubes.get(owner.name)?.fingerprint === fingerprint(owner.chunk);
  if (entity.kind === 'cube' && !entity.extends && same(entity)) return [];
  // Of two entities with the same name, only the first counts. Generated members may all exist.
  const isMade = index.entity(entity.name) === entity ? madeNames(entity, index) : undefined;
  if (!isMade) return [];
  return changesSince(before, entity, index, same).filter(({ kind, name }) => kind === 'retyped' || !isMade(name));
}

/**
 * Returns a test for the names that a template or script may generate without the files showing it: only links where a view lists
 * all its names; `undefined` if it can be any name.
 */
function madeNames(entity: EntitySymbol, index: ModelIndex): ((name: string) => boolean) | undefined {
  if (!index.membersOf(entity).open) return () => false;
  return entity.kind === 'view' && !entity.open && entity.cubes.every((cube) => isWritten(cube, index))
    ? (name) => name.includes('___link_')
    : undefined;
}

/** Whether a view names what it takes from a cube, and the files define all of that. */
function isWritten(cube: EntitySymbol['cubes'][number], index: ModelIndex): boolean {
  const owner = pathEnd(cube, index);
  const { includes } = cube;
  if (!owner || includes === undefined || cube.isOpen || cube.isDynamic) return false;
  const members = index.membersOf(owner);
  if (includes === '*') return !members.open;
  // A hierarchy includes its levels.
  const isKnown = (kind: string | undefined): boolean => (kind === undefined ? !members.open : kind !== 'hierarchy');
  return includes.every(({ nameNode }) => isKnown(members.byName.get(nameNode.value)?.kind));
}

function found(change: MemberChange, entity: EntitySymbol, { index, ...root }: ModelRoot, start: number): Found[] {
  const branch = root.deployBranch?.branch ?? '';
  const nameNode = entity.members.get(change.kind === 'renamed' ? change.to : change.name)?.nameNode ?? entity.nameNode;
  if (!nameNode || change.kind === 'added') return [];
  const full = `${entity.name}.${change.name}`;
  const messages = {
    removed: () =>
      `“${full}” was removed: it still exists on ${branch}${change.kind === 'removed' ? ` (${change.type})` : ''}.`,
    renamed: () => `On ${branch} this is called “${full}”.`,
    retyped: () =>
      change.kind === 'retyped'
        ? `On ${branch} “${full}” is ${withArticle(change.from)}, here ${withArticle(change.to)}.`
        : '',
  }[change.kind]();
  const uses = (root.workspaceUses ?? []).filter(({ names }) => names.includes(full));
  const list = uses.map(({ type, name }) => `${type} “${name}”`).join(', ');
  const message = uses.length === 0 ? messages : `${messages} Used by ${list}.`;
  const related =
    change.kind === 'retyped'
      ? []
      : (broken(index).get(full) ?? []).map((use) => ({ ...use, message: `This still refers to “${full}”.` }));
  const problem = { code: 'differs-from-deploy', start: nameNode.start, end: nameNode.end, message, related } as const;
  return [{ problem, severity: 'information', start: start + nameNode.start, end: start + nameNode.end }];
}

interface Use {
  readonly chunk: Chunk;
  readonly start: number;
  readonly end: number;
}
const known = new WeakMap<ModelIndex, { readonly structure: number; readonly uses: ReadonlyMap<string, Use[]> }>();

/** Returns the references to members that do not exist in their cube, by the member's full name. */
function broken(index: ModelIndex): ReadonlyMap<string, readonly Use[]> {
  const before = known.get(index);
  if (before?.structure === index.structure) return before.uses;
  const uses = new Map<string, Use[]>();
  for (const entity of index.entities()) {
    for (const reference of entity.references) {
      const { unknown } = resolve(reference, entity, index);
      if (!unknown) continue;
      const name = `${(unknown.within ?? entity).name}.${unknown.segment.text}`;
      const use = { chunk: entity.chunk, start: reference.start, end: reference.end };
      uses.set(name, [...(uses.get(name) ?? []), use]);
    }
  }
  known.set(index, { structure: index.structure, uses });
  return uses;
}
