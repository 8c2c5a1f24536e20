import { isTrue } from '#model/expressions/boolean-expression.ts';
import type { Problem } from '../codes.ts';
import type { EntitySymbol, MemberSymbol } from '../symbols.ts';
import { findPair } from '../syntax/tree.ts';

/** Reports errors with which the SQL of a member always ends: the engine runs it while it loads the model. */
export function checkThrownErrors({ chunk, entity, members }: EntitySymbol): Problem[] {
  const { script } = chunk;
  if (!script || entity.conditional) return [];
  return [...members.values()].flatMap((member) => {
    const sql = isRun(member) ? findPair(member.node, 'sql')?.value : undefined;
    return sql ? script.sqlNames.thrownIn(sql).map(thrown) : [];
  });
}

/** Checks for a member whose SQL the engine reads early; that of a subquery is read when a query needs it. */
function isRun(member: MemberSymbol): boolean {
  return RUN.has(member.kind) && !isTrue(member.text('sub_query', 'subQuery'));
}

const RUN: ReadonlySet<string> = new Set(['dimension', 'measure', 'segment']);

function thrown({ start, end }: { readonly start: number; readonly end: number }): Problem {
  return { code: 'bad-expression', start, end, message: 'This SQL always ends with this error.' };
}
