import { type Part, PartNotes } from './part.ts';
import { granularitiesOf } from './granularities.ts';
import { groupNamesOf } from './group-names.ts';
import { type EntitySymbol, type MemberSymbol, symbolsOf } from './symbols.ts';
import type { ViewCubeSymbol } from './view-cube.ts';

const cache = new PartNotes<string>();

/**
 * What the rest of the model can see of a part: names, kinds, types, joins, includes. Typing inside SQL or a description
 * leaves it as it is, and so nothing else has to be checked again.
 */
export function signatureOf(part: Part): string {
  let signature = cache.get(part);
  if (signature === undefined) {
    signature = [String(part.templated), ...symbolsOf(part).map(entitySignature)].join('\n');
    cache.set(part, signature);
  }
  return signature;
}

function entitySignature(entity: EntitySymbol): string {
  const head = [
    entity.kind,
    entity.name,
    entity.dynamic,
    entity.open,
    entity.entity.conditional,
    entity.extendsUnknown,
    entity.kind === 'view' && entity.hasPolicy,
    entity.extends?.segments.map(({ text }) => text).join('.'),
    ...groupNamesOf(entity).map(({ value }) => value),
  ];
  const members = [...entity.members.values(), ...entity.duplicates].map(memberSignature);
  const joins = entity.joins.map(({ name, relationship }) => `${name}:${relationship ?? ''}`);
  // Columns of the cube's own table, which a child must not inherit.
  const raw = entity
    .referencesWith(entity.name)
    .filter(
      ({ whole, form, segments }) =>
        whole && form === 'sql' && segments.length === 1 && segments[0]?.text === entity.name,
    )
    .map(({ memberName }) => memberName?.value ?? '');
  const policies = entity.references
    .filter(({ shape, segments }) => shape === 'rowFilter' && segments.length > 1 && segments[0]?.text === entity.name)
    .map(({ start }) => start);
  return [
    head.join(),
    policies.length,
    members.join(),
    joins.join(),
    entity.cubes.map(cubeSignature).join(),
    raw.join(),
  ].join('|');
}

function memberSignature(member: MemberSymbol): string {
  const { kind, name, owner } = member;
  const facts = [kind, name, member.isOpen, member.text('type'), member.text('primary_key', 'primaryKey')];
  if (kind === 'dimension')
    facts.push(
      granularitiesOf(member).length > 8 ? granularitiesOf(member).join(' ') : '',
      String(member.has('links')),
    );
  if (kind === 'hierarchy')
    facts.push(
      owner.references
        .filter(({ memberName }) => memberName === member.nameNode)
        .map(({ segments }) => segments.map(({ text }) => text).join('.'))
        .join(' '),
    );
  return facts.join(':');
}

function cubeSignature({ path, includes, excludes, prefix, split, alias, isDynamic }: ViewCubeSymbol): string {
  const names =
    includes === '*' || includes === undefined
      ? includes
      : includes.map(({ nameNode, aliasNode }) => `${nameNode.value}>${aliasNode?.value ?? ''}`).join(' ');
  return [
    path?.segments.map(({ text }) => text).join('.'),
    names,
    excludes.map(({ value }) => value).join(' '),
    prefix,
    split,
    alias,
    isDynamic,
  ].join(':');
}
