import { type Chunk, ChunkNotes } from './chunk.ts';
import { granularitiesOf } from './granularities.ts';
import { groupNamesOf } from './group-names.ts';
import type { Reference } from './references.ts';
import { switchValues } from './switch-values.ts';
import { isSpace } from '#model/expressions/expression-words.ts';
import { type EntitySymbol, type MemberSymbol, symbolsOf } from './symbols.ts';
import type { ViewCubeSymbol } from './view-cube.ts';

const cache = new ChunkNotes<string>();

/**
 * Returns everything in a chunk that the rest of the model can see: names, kinds, types, joins, includes. Typing inside SQL or a
 * description leaves it unchanged, so nothing else has to be checked again.
 */
export function signatureOf(chunk: Chunk): string {
  let signature = cache.get(chunk);
  if (signature === undefined) {
    signature = [String(chunk.templated), String(chunk.open), ...symbolsOf(chunk).map(entitySignature)].join('\n');
    cache.set(chunk, signature);
  }
  return signature;
}

function entitySignature(entity: EntitySymbol): string {
  const head = [
    entity.kind,
    entity.name,
    entity.dynamic,
    entity.dynamic && entity.runNames?.join(' '),
    entity.open,
    entity.openNames?.map(({ source }) => source).join(' '),
    entity.entity.conditional,
    entity.extendsUnknown,
    entity.kind === 'view' && entity.hasPolicy,
    entity.extends?.segments.map(({ text }) => text).join('.'),
    ...groupNamesOf(entity).map(({ value }) => value),
  ];
  const members = [...entity.members.values(), ...entity.duplicates].map(memberSignature);
  const joins = entity.joins.map(({ name, relationship }) => `${name}:${relationship ?? ''}`);
  const own = namesItself(entity) ? entity.referencesWith(entity.name) : [];
  const isOwn = ({ segments }: Reference): boolean => segments[0]?.text === entity.name;
  // Columns of the cube's own table, which a child must not inherit.
  const raw = own
    .filter((reference) => reference.whole && reference.form === 'sql' && reference.segments.length === 1)
    .filter(isOwn)
    .map(({ memberName }) => memberName?.value ?? '');
  const policies = own.filter(
    (reference) => reference.shape === 'rowFilter' && reference.segments.length > 1 && isOwn(reference),
  );
  return [
    head.join(),
    policies.length,
    members.join(),
    joins.join(),
    entity.cubes.map(cubeSignature).join(),
    raw.join(),
  ].join('|');
}

/**
 * Checks whether the entity's own name may stand alone between braces or in a row filter: cheaper than reading all references.
 */
function namesItself({ name, chunk: { text } }: EntitySymbol): boolean {
  if (name === '') return false;
  if (/row_*level/i.test(text)) return true;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    let before = at - 1;
    while (isSpace(text.charCodeAt(before))) before--;
    let after = at + name.length;
    while (isSpace(text.charCodeAt(after))) after++;
    if (text[before] === '{' && text[after] === '}') return true;
  }
  return false;
}

function memberSignature(member: MemberSymbol): string {
  const { kind, name, owner } = member;
  const facts = [kind, name, member.isOpen, member.text('type'), member.text('primary_key', 'primaryKey')];
  if (kind === 'measure') facts.push(String(member.has('multi_stage', 'multiStage')));
  if (kind === 'dimension')
    facts.push(
      switchValues(member)?.join(' ') ?? '',
      String(member.has('sub_query', 'subQuery')),
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
