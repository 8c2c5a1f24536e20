import * as v from 'valibot';
import { err, ok, type Result } from '#base/result.ts';

/** One environment variable of a deployment; the value of a secret comes masked. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly isSecret?: boolean | undefined;
}

export interface VariableChange {
  readonly name: string;
  readonly change: 'added' | 'changed' | 'removed';
}

const documentSchema = v.strictObject(
  {
    env_variables: v.array(
      v.strictObject({
        name: v.pipe(
          v.string('"name" must be text.'),
          v.regex(/^[A-Za-z_]\w*$/, 'A name has letters, digits and “_” only, and does not begin with a digit.'),
        ),
        value: v.string('"value" must be text: put numbers in quotes.'),
        isSecret: v.optional(v.boolean('"isSecret" must be true or false.')),
      }),
    ),
  },
  'The document must be an object with “env_variables”.',
);

/**
 * Reads the edited document against the one that was shown. A masked value that was not touched stands for "unchanged"
 * (payloads, Readings); one that is no secret's own mask would be written as the secret and is refused.
 */
export function readVariables(edited: unknown, shown: readonly Variable[]): Result<readonly Variable[], string> {
  const parsed = v.safeParse(documentSchema, edited);
  if (!parsed.success) return err(placed(parsed.issues[0]));
  const variables = parsed.output.env_variables;
  const before = new Map(shown.map((variable) => [variable.name, variable]));
  const names = new Set<string>();
  for (const { name, value } of variables) {
    if (names.has(name)) return err(`“${name}” is there twice.`);
    names.add(name);
    const old = before.get(name);
    const isOwnMask = old?.isSecret === true && old.value === value;
    if (looksMasked(value) && !isOwnMask) {
      return err(`“${name}” has a masked value. Type its real value, or leave it out: a mask is never written back.`);
    }
  }
  return ok(variables);
}

/** The variable that is wrong, by its name or number, and what is wrong with it; never its value. */
function placed(issue: v.BaseIssue<unknown>): string {
  const [list, entry, field] = issue.path ?? [];
  if (list === undefined || entry === undefined || typeof entry.key !== 'number') {
    return issue.received === 'undefined' ? 'The document must be an object with “env_variables”.' : issue.message;
  }
  const { name } = (entry.value ?? {}) as { readonly name?: unknown };
  const which = typeof name === 'string' && name !== '' ? `“${name}”` : `Variable ${entry.key + 1}`;
  if (field !== undefined && issue.expected === 'never') return `${which}: there is no field “${String(field.key)}”.`;
  if (field === undefined) return `${which} must be an object with “name” and “value”.`;
  return `${which}: ${issue.received === 'undefined' ? `“${String(field.key)}” is missing.` : issue.message}`;
}

/** What would change on the platform, by name; values are not told, they may be secrets. */
export function variableChanges(before: readonly Variable[], after: readonly Variable[]): readonly VariableChange[] {
  const old = new Map(before.map((variable) => [variable.name, variable]));
  const changes: VariableChange[] = [];
  for (const { name, value, isSecret } of after) {
    const known = old.get(name);
    if (!known) changes.push({ name, change: 'added' });
    else if (known.value !== value || (known.isSecret ?? false) !== (isSecret ?? false)) {
      changes.push({ name, change: 'changed' });
    }
    old.delete(name);
  }
  for (const name of old.keys()) changes.push({ name, change: 'removed' });
  return changes;
}

function looksMasked(value: string): boolean {
  return value.length >= 3 && /^[*•●]+$/.test(value);
}
