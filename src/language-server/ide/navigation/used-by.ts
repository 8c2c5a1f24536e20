import {
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  type Range,
  SymbolKind,
} from 'vscode-languageserver';
import type { ModelIndex } from '#model/index.ts';
import { nounOfKind } from '#model/kind-nouns.ts';
import { nameRange } from '#model/name-range.ts';
import type { Reference } from '#model/references.ts';
import { resolve } from '#model/resolve.ts';
import type { EntitySymbol, MemberSymbol } from '#model/symbols.ts';
import type { ScalarNode } from '#model/syntax/tree.ts';
import { type Subject, subjectOf, usagesOf } from '#model/usages/usages.ts';
import type { ModelRoot, Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { found, locationOf } from '#language-server/ide/locations.ts';

/** The subject of a tree's item, with enough data to find it again in a later version of the model. */
interface ItemData {
  readonly root: string;
  readonly entity: string;
  readonly member?: string | undefined;
}

/** A cube, view or member: a node of the “used by” tree. */
interface Owner {
  readonly entity: EntitySymbol;
  readonly member: MemberSymbol | undefined;
}

/** Returns the cube, view or member under the cursor as the root of a “used by” tree. */
export function prepareUsedBy(opened: Opened, offset: number, workspace: Workspace): CallHierarchyItem[] | null {
  const at = found(opened, offset);
  const owner = at && ownerOf(at.subject);
  const item = owner && itemOf(owner, opened.root, workspace);
  return item ? [item] : null;
}

/** Returns the users of an item: members whose SQL or lists name it, and cubes and views that do so outside of a member. */
export function usedBy(
  item: CallHierarchyItem,
  roots: readonly ModelRoot[],
  workspace: Workspace,
): CallHierarchyIncomingCall[] {
  const at = lookUp(item, roots);
  if (!at) return [];
  const { root, owner } = at;
  const subject: Subject = owner.member
    ? { is: 'member', member: owner.member }
    : { is: 'entity', entity: owner.entity };
  const calls = new Map<
    ScalarNode | EntitySymbol,
    { readonly from: CallHierarchyItem; readonly fromRanges: Range[] }
  >();
  for (const { entity, start, end, role, reference } of usagesOf(subject, root.index)) {
    if (role === 'definition') continue;
    const member = memberAround(entity, reference?.memberName);
    const key = member?.nameNode ?? entity;
    const from = calls.get(key)?.from ?? itemOf({ entity, member }, root, workspace);
    const range = locationOf(workspace, root.index, entity.chunk, start, end)?.range;
    if (!from || !range) continue;
    const call = calls.get(key) ?? { from, fromRanges: [] };
    call.fromRanges.push(range);
    calls.set(key, call);
  }
  return [...calls.values()];
}

/** Returns what an item uses. */
export function uses(
  item: CallHierarchyItem,
  roots: readonly ModelRoot[],
  workspace: Workspace,
): CallHierarchyOutgoingCall[] {
  const at = lookUp(item, roots);
  if (!at) return [];
  const calls = new Map<string, { readonly to: CallHierarchyItem; readonly fromRanges: Range[] }>();
  for (const reference of at.owner.entity.references) {
    const use = useOf(reference, at.owner, at.root, workspace);
    if (!use) continue;
    const call = calls.get(use.to.name) ?? { to: use.to, fromRanges: [] };
    call.fromRanges.push(use.range);
    calls.set(use.to.name, call);
  }
  return [...calls.values()];
}

/** Returns the target of one reference; `undefined` for a reference of another member, or to the cube itself. */
function useOf(
  reference: Reference,
  { entity, member }: Owner,
  root: ModelRoot,
  workspace: Workspace,
): { readonly to: CallHierarchyItem; readonly range: Range } | undefined {
  if (member && reference.memberName !== member.nameNode) return undefined;
  const last = resolve(reference, entity, root.index).referents.at(-1);
  const subject = last && subjectOf(last);
  const target = subject && ownerOf(subject);
  if (!target || (target.entity === entity && !target.member)) return undefined;
  const to = itemOf(target, root, workspace);
  const range = locationOf(workspace, root.index, entity.chunk, reference.start, reference.end)?.range;
  return to && range ? { to, range } : undefined;
}

function ownerOf(subject: Subject): Owner | undefined {
  if (subject.is === 'entity') return { entity: subject.entity, member: undefined };
  return subject.is === 'member' ? { entity: subject.member.owner, member: subject.member } : undefined;
}

function memberAround(entity: EntitySymbol, name: ScalarNode | undefined): MemberSymbol | undefined {
  return name && [...entity.members.values()].find(({ nameNode }) => nameNode === name);
}

/** Returns a cube, view or member as an item of a tree, with the data to find it in a later request. */
export function itemOf(
  { entity, member }: Owner,
  root: ModelRoot,
  workspace: Workspace,
): CallHierarchyItem | undefined {
  const nameNode = member?.nameNode ?? entity.nameNode;
  const own = nameNode && nameRange(nameNode, entity.chunk.text);
  const at = own && locationOf(workspace, root.index, entity.chunk, own.start, own.end);
  if (!at) return undefined;
  const data: ItemData = { root: root.uri, entity: entity.name, member: member?.name };
  const kind = member
    ? member.kind === 'measure'
      ? SymbolKind.Function
      : SymbolKind.Field
    : entity.kind === 'cube'
      ? SymbolKind.Class
      : SymbolKind.Interface;
  return {
    name: member ? `${entity.name}.${member.name}` : entity.name,
    detail: nounOfKind(member?.kind ?? entity.kind),
    kind,
    uri: at.uri,
    range: at.range,
    selectionRange: at.range,
    data,
  };
}

/** Returns the subject of an item from an earlier answer; `undefined` if it no longer exists. */
export function lookUp(
  item: Pick<CallHierarchyItem, 'data'>,
  roots: readonly ModelRoot[],
): { readonly root: ModelRoot; readonly owner: Owner } | undefined {
  const data = item.data as ItemData;
  const root = roots.find(({ uri }) => uri === data.root);
  const entity = root && findEntity(root.index, data.entity);
  if (!root || !entity) return undefined;
  const member = data.member === undefined ? undefined : entity.members.get(data.member);
  return data.member !== undefined && !member ? undefined : { root, owner: { entity, member } };
}

function findEntity(index: ModelIndex, name: string): EntitySymbol | undefined {
  return index.entity(name) ?? index.viewGroup(name);
}
