import type { Problem } from '../codes.ts';
import { extendedParent } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import type { Path } from '#model/expressions/strings.ts';
import type { EntitySymbol } from '../symbols.ts';
import { findPair, textOf } from '../syntax/tree.ts';
import { isUnreadable } from './templates.ts';
import { checkOwnMembers } from './view.ts';

/** Checks what an entity extends: itself, a member, or an entity whose members, columns or policies it cannot inherit. */
export function checkExtends(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { extends: path, kind } = entity;
  if (!path) return [];
  if (path.segments.length > 1) return memberAsParent(path, entity, index);
  const seen = new Set<EntitySymbol>();
  for (let at: EntitySymbol | undefined = entity; at; at = extended(at, index)) {
    if (seen.has(at)) {
      const message = at === entity ? 'itself' : `\`${at.name}\`, which extends itself`;
      return [{ code: 'circular-extends', start: path.start, end: path.end, message: `This extends ${message}.` }];
    }
    seen.add(at);
  }
  return kind === 'viewGroup'
    ? []
    : [...inheritedKind(entity, index), ...inheritedTables(entity, index), ...inheritedPolicies(entity, index)];
}

function memberAsParent({ segments: [head], start, end }: Path, entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (!head || !index.entity(head.text) || isLocal(head.text, entity) || isUnreadableParent(entity)) return [];
  return [
    { code: 'path-in-name', start, end, message: '`extends` takes the name of a cube or view, without a member.' },
  ];
}

/** Checks whether a script may mean something of its own by a name. */
function isLocal(name: string, { chunk }: EntitySymbol): boolean {
  return chunk.kind === 'script' && chunk.locals.has(name);
}

/** Checks for a text that is reported because the engine cannot read it. */
function isUnreadableParent({ entity, chunk }: EntitySymbol): boolean {
  const parent = chunk.kind === 'script' ? undefined : textOf(entity.node, 'extends');
  return parent !== undefined && isUnreadable(parent, 'reference');
}

/** Returns the entity that another one extends, if both are of one kind; it may extend itself. */
function extended({ extends: path, kind }: EntitySymbol, index: ModelIndex): EntitySymbol | undefined {
  const target = path?.segments.length === 1 ? index.entity(path.segments[0]?.text ?? '') : undefined;
  return target?.kind === kind ? target : undefined;
}

/**
 * Reports members of an entity that extends a view: to the engine it is a view, which has no members of its own, not even
 * inherited ones.
 */
function inheritedKind(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const parent = extendedParent(entity, index);
  const { extends: path, kind } = entity;
  if (!path || !parent || parent.kind === kind || parent.kind === 'viewGroup') return [];
  const { start, end } = path;
  if (kind === 'cube') {
    const table = findPair(entity.entity.node, 'sql', 'sql_table', 'sqlTable');
    const message = `\`${parent.name}\` is a view, and so is what extends it: it cannot have \`${table?.key.value ?? ''}\`.`;
    return table ? [{ code: 'misplaced-key', start, end, message }] : checkOwnMembers(entity, index);
  }
  const own = [...index.membersOf(parent).byName.values()].find(
    ({ kind: member }) => member === 'dimension' || member === 'measure' || member === 'segment',
  );
  const message = `\`${parent.name}\` is a cube: a view cannot inherit its members. List it under \`cubes\` instead.`;
  return own && !entity.members.has(own.name) ? [{ code: 'view-own-member', start, end, message }] : [];
}

/** Reports `parent.member` in an inherited policy: to the child it is a member of another cube. */
function inheritedPolicies(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const parent = extendedParent(entity, index);
  const path = entity.extends;
  if (!path || !parent || parent.chunk.kind === 'script') return [];
  const reference = parent.references.find(
    ({ shape, key, segments }) =>
      shape === 'rowFilter' && key === 'member' && segments.length > 1 && segments[0]?.text === parent.name,
  );
  if (!reference) return [];
  const related = [{ chunk: parent.chunk, start: reference.start, end: reference.end, message: 'Here.' }];
  const message = `\`${entity.name}\` inherits an access policy that filters by a member of \`${parent.name}\`: write the name alone there.`;
  return [{ code: 'path-in-name', start: path.start, end: path.end, message, related }];
}

/** Reports `{parent}.column` in an inherited member: to the child it is a column of another cube. */
function inheritedTables(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const parent = extendedParent(entity, index);
  if (!entity.extends || entity.kind !== 'cube' || parent?.kind !== 'cube') return [];
  for (const reference of parent.references) {
    const { memberName, segments } = reference;
    const isRaw =
      reference.form === 'sql' &&
      reference.checked &&
      reference.whole &&
      segments.length === 1 &&
      segments[0]?.text === parent.name;
    if (!isRaw || !memberName || entity.members.has(memberName.value)) continue;
    const related = [{ chunk: parent.chunk, start: reference.start, end: reference.end, message: 'Here.' }];
    const message = `\`${entity.name}\` inherits \`${memberName.value}\`, which reads columns of \`{${parent.name}}\`: write \`{CUBE}\` there instead.`;
    return [{ code: 'foreign-column', start: entity.extends.start, end: entity.extends.end, message, related }];
  }
  return [];
}
