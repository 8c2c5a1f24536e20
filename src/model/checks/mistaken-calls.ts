import type { Problem } from '../codes.ts';
import type { Reference } from '../references.ts';
import type { Referent } from '../resolve.ts';

/** Checks for a call of something that is not a function, where the engine resolves it while it compiles. */
export function isMistakenCall(
  { call, form, checked, segments }: Reference,
  [head, ...more]: readonly Referent[],
): boolean {
  if (!call || !checked || head?.is === 'context' || form === 'name') return false;
  if (form === 'path') return head !== undefined;
  return (more.at(-1) ?? head)?.is === 'member' || segments.at(-1)?.text === 'sql';
}

/** Reports `{status()}`, and `{users.sql()}` where only members are allowed. */
export function notCallable({ segments, start, end, form }: Reference, last: Referent | undefined): Problem {
  const name = segments.map(({ text }) => text).join('.');
  const message =
    last?.is === 'member' || form === 'path'
      ? `\`${name}\` is not a function: write it without \`()\`.`
      : `\`${name}()\` is a whole query: it can stand in the \`sql\` of a cube, not in a member.`;
  return { code: 'bad-expression', start, end, message };
}
