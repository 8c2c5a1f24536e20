import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import type { Reference } from '../references.ts';
import { resolve } from '../resolve.ts';
import type { EntitySymbol, JoinSymbol } from '../symbols.ts';
import { type ScalarNode, textOf } from '../syntax/tree.ts';

/**
 * Reports a condition of a join that never mentions the other cube: by its name, by its alias in the query, or by a member of this
 * cube that refers to it.
 */
export function checkJoinTarget(entity: EntitySymbol, join: JoinSymbol, index: ModelIndex): Problem[] {
  const target = index.entity(join.name);
  if (!target || entity.chunk.kind === 'script') return [];
  const inside = referencesIn(entity, join.nameNode);
  const aliases = [join.name, textOf(target.entity.node, 'sql_alias', 'sqlAlias') ?? join.name].map(letters);
  if (inside.length === 0 || inside.some(({ node }) => namesTable(node.value, aliases))) return [];
  if (inside.some((reference) => mentions(reference, join.name, entity, index))) return [];
  const { start, end } = join.nameNode;
  const message = `The condition of this join never mentions \`${join.name}\`: every row would match every row.`;
  return [{ code: 'join-without-target', start, end, message }];
}

function referencesIn({ references }: EntitySymbol, name: ScalarNode): readonly Reference[] {
  return references.filter(({ memberName, form }) => memberName === name && form === 'sql');
}

/** The most members that lead to one another. */
const DEPTH = 10;

/** Checks whether a reference names a cube, or a member of this one that does. Inherited members may do anything. */
function mentions(reference: Reference, cube: string, owner: EntitySymbol, index: ModelIndex, depth = 0): boolean {
  if (reference.segments.some(({ text }) => text === cube)) return true;
  const last = resolve(reference, owner, index).referents.at(-1);
  if (last?.is !== 'member' || depth > DEPTH) return false;
  const { member, owner: own } = last.member;
  if (own !== owner) return true;
  return referencesIn(owner, member.nameNode).some((each) => mentions(each, cube, owner, index, depth + 1));
}

/** Returns a name as databases and the engine's aliases compare it: `OrderItems` is `order_items` in a query. */
function letters(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

const TABLE = /(?<![\w.{$])["`[]?([\p{L}_][\p{L}\p{N}_]*)["`\]]?\s*\./gu;

function namesTable(sql: string, aliases: readonly string[]): boolean {
  return [...sql.matchAll(TABLE)].some(([, name = '']) => aliases.includes(letters(name)));
}
