import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import type { EntitySymbol } from '../symbols.ts';

/** Names that the engine passes to SQL everywhere. */
const OWN = new Set(
  'CUBE TABLE FILTER_PARAMS FILTER_GROUP SECURITY_CONTEXT security_context securityContext SQL_UTILS userAttributes user_attributes groups'.split(
    ' ',
  ),
);

/**
 * Reports variables of functions for SQL with the name of a cube or a member: the engine makes each such name in the function a
 * parameter of it, and a function cannot have a parameter and a variable of one name.
 */
export function checkSqlVariables(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { chunk, written } = entity;
  const own =
    chunk.script?.sqlNames.variables.filter(({ start }) => written.start <= start && start < written.end) ?? [];
  return own.flatMap(({ name, start, end }): Problem[] => {
    const what = passedAs(name, entity, index);
    if (what === undefined) return [];
    const message = `\`${name}\` is ${what}, which the engine makes a parameter of this function: give the variable another name.`;
    return [{ code: 'duplicate-name', start, end, message }];
  });
}

/** Returns what a name in SQL stands for; undefined if it is not one of the model's. */
function passedAs(name: string, entity: EntitySymbol, index: ModelIndex): string | undefined {
  if (OWN.has(name)) return 'a name of the engine';
  const known = index.entity(name);
  if (known && known.kind !== 'viewGroup') return `a ${known.kind}`;
  // What never runs has no members.
  const { conditional, isForOthers } = entity.entity;
  if (!entity.hasBareNames || conditional || isForOthers === true) return undefined;
  const member = index.member(entity, name);
  if (!member || member.kind === 'hierarchy') return undefined;
  return `a ${member.kind === 'preAggregation' ? 'pre-aggregation' : member.kind} of \`${entity.name}\``;
}
