import * as v from 'valibot';
import { err, ok, type Result } from '#base/result.ts';
import type { JsonPath } from '../dashboards/json-text.ts';

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

/** What is wrong with a document, and where in it. */
export interface DocumentProblem {
  readonly path: JsonPath;
  readonly message: string;
  /** `error`: it cannot be saved like this. */
  readonly severity: 'error' | 'warning';
}

/**
 * Reads the edited document against the one that was shown. A masked value that was not touched stands for "unchanged"
 * (payloads, Readings); one that is no secret's own mask would be written as the secret and is refused.
 */
export function readVariables(edited: unknown, shown: readonly Variable[]): Result<readonly Variable[], string> {
  const refused = variableProblems(edited, shown).find(({ severity }) => severity === 'error');
  if (refused) return err(refused.message);
  return ok(v.parse(documentSchema, edited).env_variables);
}

/** Everything that is wrong with the edited document, for who is typing; values are not told, they may be secrets. */
export function variableProblems(edited: unknown, shown: readonly Variable[]): readonly DocumentProblem[] {
  const parsed = v.safeParse(documentSchema, edited);
  if (!parsed.success) return parsed.issues.map((issue) => ({ ...placed(issue), severity: 'error' }));
  const before = new Map(shown.map((variable) => [variable.name, variable]));
  const names = new Set<string>();
  return parsed.output.env_variables.flatMap((variable, at) => {
    const { name } = variable;
    const isTwice = names.has(name);
    names.add(name);
    const twice = { path: fieldOf(at, 'name'), message: `“${name}” is there twice.`, severity: 'error' as const };
    return [...(isTwice ? [twice] : []), ...maskProblems(variable, before.get(name), at)];
  });
}

/** A mask in place of a value, and a secret that would be shown. */
function maskProblems({ name, value, isSecret }: Variable, old: Variable | undefined, at: number): DocumentProblem[] {
  const isOwnMask = old?.isSecret === true && old.value === value;
  if (isOwnMask && isSecret === false) {
    const message = `“${name}” stops being a secret: whoever may read the variables sees its value.`;
    return [{ path: fieldOf(at, 'isSecret'), message, severity: 'warning' }];
  }
  if (isOwnMask) return [];
  if (looksMasked(value)) {
    const message = `“${name}” has a masked value. Type its real value, or leave it out: a mask is never written back.`;
    return [{ path: fieldOf(at, 'value'), message, severity: 'error' }];
  }
  if (!/[*•●]{3}/.test(value)) return [];
  const message = `“${name}” has a part of a mask in its value. Is that what you want to write?`;
  return [{ path: fieldOf(at, 'value'), message, severity: 'warning' }];
}

const fieldOf = (at: number, field: keyof Variable): JsonPath => ['env_variables', at, field];

/** The variable that is wrong, by its name or number, and what is wrong with it; never its value. */
function placed(issue: v.BaseIssue<unknown>): Pick<DocumentProblem, 'path' | 'message'> {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const [list, entry, field] = issue.path ?? [];
  if (list === undefined || entry === undefined || typeof entry.key !== 'number') {
    const isAbsent = issue.received === 'undefined';
    return { path, message: isAbsent ? 'The document must be an object with “env_variables”.' : issue.message };
  }
  const { name } = (entry.value ?? {}) as { readonly name?: unknown };
  const which = typeof name === 'string' && name !== '' ? `“${name}”` : `Variable ${entry.key + 1}`;
  return { path, message: `${which}${wordsOf(issue, field && String(field.key))}` };
}

function wordsOf({ expected, received, message }: v.BaseIssue<unknown>, field: string | undefined): string {
  if (field === undefined) return ' must be an object with “name” and “value”.';
  if (expected === 'never') return `: there is no field “${field}”.`;
  return `: ${received === 'undefined' ? `“${field}” is missing.` : message}`;
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
