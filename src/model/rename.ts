import { err, ok, type Result } from '#base/result.ts';
import type { ModelIndex } from './index.ts';
import type { EntitySymbol } from './symbols.ts';
import { type Subject, usagesOf } from './usages.ts';

/** One replacement; offsets are those of the entity's part. */
export interface RenameEdit {
  readonly entity: EntitySymbol;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The name as it is written where it is defined. */
export function subjectName(subject: Subject): string {
  if (subject.is === 'entity') return subject.entity.name;
  return subject.is === 'member' ? subject.member.name : subject.node.value;
}

/** The edits that give a subject another name everywhere, or why that cannot be. */
export function rename(subject: Subject, name: string, index: ModelIndex): Result<readonly RenameEdit[], string> {
  const old = subjectName(subject);
  if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name))
    return err(`“${name}” is not a name: use letters, digits and _, starting with a letter or _.`);
  if (name === old) return ok([]);
  const taken = takenBy(subject, name, index);
  if (taken !== undefined) return err(taken);
  const edits = usagesOf(subject, index).flatMap(({ entity, start, end, text, role }): RenameEdit[] => {
    if (role !== 'implied') return [{ entity, start, end, text: name }];
    // A cube's name is in front of a prefixed member, a member's own at the end.
    const replaced =
      subject.is === 'entity' ? name + text.slice(old.length) : text.slice(0, text.length - old.length) + name;
    return [{ entity, start, end, text: replaced }];
  });
  return ok(edits);
}

function takenBy(subject: Subject, name: string, index: ModelIndex): string | undefined {
  if (subject.is === 'entity') {
    const other = subject.entity.kind === 'viewGroup' ? index.viewGroup(name) : index.entity(name);
    return other && other !== subject.entity ? `A ${other.kind} is called “${name}” already.` : undefined;
  }
  const owner = subject.is === 'member' ? subject.member.owner : subject.view;
  const other = index.member(owner, name);
  return other ? `“${owner.name}” has a ${other.kind} called “${name}” already.` : undefined;
}
