import { append } from '#base/long-lists.ts';
import { capitalized } from '#base/words.ts';
import { booleanValue } from '#model/expressions/boolean-expression.ts';
import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import { checkJoinTarget } from './join-targets.ts';
import type { EntitySymbol, JoinSymbol, MemberSymbol } from '../symbols.ts';
import { quotedEntity } from './quoted-value.ts';

/** Checks the joins of a cube (docs/model-language.md#joins). */
export function checkJoins(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, JoinSymbol>();
  for (const join of entity.joins) {
    const { nameNode, name } = join;
    const first = seen.get(name);
    if (!first) seen.set(name, join);
    // In JavaScript, an object with the same key twice is reported as a duplicate key already.
    else if (!entity.chunk.templated && (entity.chunk.kind !== 'script' || join.has('name'))) {
      const related = [
        { chunk: entity.chunk, start: first.nameNode.start, end: first.nameNode.end, message: 'The first join.' },
      ];
      problems.push({
        code: 'duplicate-join',
        start: nameNode.start,
        end: nameNode.end,
        message: `${capitalized(quotedEntity(entity))} already joins to \`${name}\`: only one join per pair of cubes is possible.`,
        related,
      });
    }
    if (name.includes('.') && !entity.chunk.templated) problems.push(pathAsJoin(join));
    append(problems, [...checkPrimaryKeys(entity, join, index), ...checkJoinTarget(entity, join, index)]);
  }
  return problems;
}

function pathAsJoin({ name, nameNode: { start, end } }: JoinSymbol): Problem {
  const message = `A join is named for the cube that it leads to: \`${name}\` is a path.`;
  return { code: 'bad-name', start, end, message };
}

/** Checks primary keys: joins multiply rows, so aggregates on either side need one (docs/model-language.md#joins). */
function checkPrimaryKeys(entity: EntitySymbol, join: JoinSymbol, index: ModelIndex): Problem[] {
  const target = index.entity(join.name) ?? index.made(join.name);
  const { start, end } = join.nameNode;
  for (const cube of [entity, target]) {
    if (!cube || cube.kind === 'viewGroup' || !needsKey(cube, index)) continue;
    return [
      {
        code: 'missing-primary-key',
        start,
        end,
        message: `${capitalized(quotedEntity(cube))} needs a dimension with \`primary_key: true\`: it takes part in a join and has measures.`,
        related: noKey(cube),
      },
    ];
  }
  return [];
}

function noKey({ nameNode, chunk }: EntitySymbol): Problem['related'] {
  return nameNode && [{ chunk, start: nameNode.start, end: nameNode.end, message: 'This cube has none.' }];
}

/** Types of measures that count a row once per match of a join. */
export const AGGREGATE_TYPES: ReadonlySet<string> = new Set(['sum', 'avg', 'count', 'number']);

function needsKey(cube: EntitySymbol, index: ModelIndex): boolean {
  const [run, ...more] = cube.expansions;
  const members = index.membersOf(run && more.length === 0 ? run : cube);
  if (members.open) return false;
  let counts = false;
  for (const { kind, member } of members.byName.values()) {
    // A primary key that a view includes no longer acts as one.
    if (kind === 'dimension' && cube.kind === 'cube' && isKey(member)) return false;
    if (kind === 'measure' && AGGREGATE_TYPES.has(member.text('type') ?? '')) counts = true;
  }
  return counts;
}

/** Checks whether a member may be a key: anything not certainly false counts. */
function isKey(member: MemberSymbol): boolean {
  if (member.isOpen) return true;
  const text = member.text('primary_key', 'primaryKey') ?? '';
  return member.has('primary_key', 'primaryKey') && booleanValue(text) !== false && text !== 'undefined';
}
