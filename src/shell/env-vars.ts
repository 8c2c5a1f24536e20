import * as v from 'valibot';
import type { Served } from '#api/resources/served.ts';
import { isEqual } from '#base/equal.ts';
import { err, ok, type Result } from '#base/result.ts';
import type { JsonPath } from './json-text.ts';
import type { JsonSchema } from './request-schema.ts';

/**
 * One environment variable of a deployment. The platform masks or omits the value of a secret. Fields that Modelbench does not
 * know are left unchanged.
 */
export interface Variable {
  readonly name: string;
  /** Absent if the platform did not return the value; it keeps the value until the user types another one. */
  readonly value?: string | undefined;
  readonly isSecret?: boolean | undefined;
  readonly [field: string]: unknown;
}

export interface VariableChange {
  readonly name: string;
  readonly change: 'added' | 'changed' | 'removed';
}

const documentSchema = v.strictObject(
  {
    env_variables: v.array(
      v.looseObject({
        name: v.pipe(
          v.string('"name" must be text.'),
          v.regex(/^[A-Za-z_]\w*$/, 'A name has letters, digits and “_” only, and does not begin with a digit.'),
        ),
        value: v.optional(v.string('"value" must be text: put numbers in quotes.')),
        isSecret: v.optional(v.boolean('"isSecret" must be true or false.')),
      }),
    ),
  },
  'The document must be an object with “env_variables”.',
);

/** The schema of the form for variables, which can also take lines of an `.env` file. */
export const variablesSchema: JsonSchema = {
  type: 'object',
  properties: {
    env_variables: {
      title: 'Variables',
      description:
        'Saving restarts the deployment. Everyone who may read the variables sees the values that are not secret.',
      type: 'array',
      items: {
        type: 'object',
        'x-env': true,
        properties: {
          name: { type: 'string' },
          value: { type: 'string' },
          isSecret: { type: 'boolean' },
        },
        required: ['name', 'value'],
      },
    },
  },
};

/** A problem of a document and its location. */
export interface DocumentProblem {
  readonly path: JsonPath;
  readonly message: string;
  /** `error`: the document cannot be saved like this. */
  readonly severity: 'error' | 'warning';
}

/**
 * Converts the platform's variables for a document. A secret that arrives with an empty value does have a value that the platform
 * hides; the value is omitted because writing back the empty text would replace the secret.
 */
export function shownVariables(rows: readonly Served[]): readonly Variable[] {
  return rows.map((row) => {
    const { value, ...others } = row;
    const isUnread = value === null || value === undefined || (row['isSecret'] === true && value === '');
    return (isUnread ? others : row) as Variable;
  });
}

/**
 * Checks the edited document against the one that was shown. An untouched masked value means "unchanged"
 * (docs/platform-api.md#setenvvars); any other mask would be stored as the value, so it is rejected.
 */
export function readVariables(edited: unknown, shown: readonly Variable[]): Result<readonly Variable[], string> {
  const refused = variableProblems(edited, shown).find(({ severity }) => severity === 'error');
  return refused ? err(refused.message) : ok(rowsOf(edited));
}

/** Returns the rows of a checked document without parsing them, so that unknown fields return to the platform unchanged. */
function rowsOf(edited: unknown): readonly Variable[] {
  return (edited as { readonly env_variables: readonly Variable[] }).env_variables;
}

/** Returns every problem of the edited document. Messages never quote values: they may be secrets. */
export function variableProblems(edited: unknown, shown: readonly Variable[]): readonly DocumentProblem[] {
  const parsed = v.safeParse(documentSchema, edited);
  const issues = (parsed.issues ?? []).filter((issue) => !isServed(issue, shown));
  if (issues.length > 0) return issues.map((issue) => ({ ...located(issue), severity: 'error' }));
  const before = new Map(shown.map((variable) => [variable.name, variable]));
  const names = new Set<string>();
  return rowsOf(edited).flatMap((variable, at) => {
    if (shown.some((row) => isEqual(row, variable)) && !names.has(variable.name)) {
      names.add(variable.name);
      return [];
    }
    const { name } = variable;
    const isTwice = names.has(name);
    names.add(name);
    const twice = { path: fieldOf(at, 'name'), message: `“${name}” appears twice.`, severity: 'error' as const };
    const old = before.get(name);
    return [...(isTwice ? [twice] : []), ...shapeProblems(variable, old, at), ...maskProblems(variable, old, at)];
  });
}

/** Whether an issue concerns a row that is unchanged since the platform returned it, whatever our rules require. */
function isServed({ path }: v.BaseIssue<unknown>, shown: readonly Variable[]): boolean {
  const row: unknown = path?.[1]?.value;
  return row !== undefined && shown.some((each) => isEqual(each, row));
}

const knownFields: readonly string[] = ['name', 'value', 'isSecret'] satisfies (keyof Variable)[];

/** Finds a required value that is missing, and fields that the platform did not return. */
function shapeProblems(variable: Variable, old: Variable | undefined, at: number): DocumentProblem[] {
  const { name, value } = variable;
  const isUnread = old !== undefined && old.value === undefined;
  const missing = {
    path: ['env_variables', at],
    message: `“${name}”: “value” is missing.`,
    severity: 'error' as const,
  };
  const unknown = Object.keys(variable)
    .filter((field) => !knownFields.includes(field) && !(old && field in old))
    .map((field) => ({
      path: ['env_variables', at, field],
      message: `“${name}”: there is no field “${field}”.`,
      severity: 'error' as const,
    }));
  return [...(value === undefined && !isUnread ? [missing] : []), ...unknown];
}

/** Finds a mask in place of a value, and a secret that would become visible. */
function maskProblems({ name, value, isSecret }: Variable, old: Variable | undefined, at: number): DocumentProblem[] {
  const isUntouched = old !== undefined && old.value === value;
  if (isUntouched && old.isSecret === true && isSecret !== true) {
    const message = `“${name}” stops being a secret: everyone who may read the variables sees its value.`;
    return [{ path: fieldOf(at, isSecret === undefined ? 'name' : 'isSecret'), message, severity: 'warning' }];
  }
  if (isUntouched || value === undefined) return [];
  if (isMasked(value)) {
    const message = `“${name}” has a masked value. Type its real value, or leave it out: a mask is never written back.`;
    return [{ path: fieldOf(at, 'value'), message, severity: 'error' }];
  }
  if (!/[*•●]{3}/.test(value)) return [];
  const message = `“${name}” contains part of a mask. Check that this is the real value.`;
  return [{ path: fieldOf(at, 'value'), message, severity: 'warning' }];
}

const fieldOf = (at: number, field: 'name' | 'value' | 'isSecret'): JsonPath => ['env_variables', at, field];

/** Describes a problem with the name or number of its variable, never with its value. */
function located(issue: v.BaseIssue<unknown>): Pick<DocumentProblem, 'path' | 'message'> {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const [list, entry, field] = issue.path ?? [];
  if (list === undefined || entry === undefined || typeof entry.key !== 'number') {
    const isAbsent = issue.received === 'undefined';
    return { path, message: isAbsent ? 'The document must be an object with “env_variables”.' : issue.message };
  }
  const { name } = (entry.value ?? {}) as { readonly name?: unknown };
  const which = typeof name === 'string' && name !== '' ? `“${name}”` : `Variable ${entry.key + 1}`;
  return { path, message: `${which}${issueText(issue, field && String(field.key))}` };
}

function issueText({ expected, received, message }: v.BaseIssue<unknown>, field: string | undefined): string {
  if (field === undefined) return ' must be an object with “name” and “value”.';
  if (expected === 'never') return `: there is no field “${field}”.`;
  return `: ${received === 'undefined' ? `“${field}” is missing.` : message}`;
}

/** Returns the variables that would change on the platform, by name. Values are omitted: they may be secrets. */
export function variableChanges(before: readonly Variable[], after: readonly Variable[]): readonly VariableChange[] {
  const old = new Map(before.map((variable) => [variable.name, variable]));
  const changes: VariableChange[] = [];
  for (const variable of after) {
    const { name } = variable;
    const known = old.get(name);
    if (!known) changes.push({ name, change: 'added' });
    else if (!isSame(known, variable)) changes.push({ name, change: 'changed' });
    old.delete(name);
  }
  for (const name of old.keys()) changes.push({ name, change: 'removed' });
  return changes;
}

/** The result of applying edits to the platform's current variables. */
export interface MergedVariables {
  /** The platform's current variables with the edits applied. */
  readonly variables: readonly Variable[];
  /** Names that both sides changed differently since the document was read. */
  readonly contested: readonly string[];
}

/** Applies only what the user edited; changes that someone else made meanwhile are kept. */
export function mergedVariables(
  shown: readonly Variable[],
  edited: readonly Variable[],
  now: readonly Variable[],
): MergedVariables {
  const [mine, theirs] = [byName(edited), byName(now)];
  const changed = new Set(variableChanges(shown, edited).map(({ name }) => name));
  const elsewhere = variableChanges(shown, now).filter(({ name }) => changed.has(name));
  const contested = elsewhere.filter(({ name }) => {
    const [one, other] = [mine.get(name), theirs.get(name)];
    return one === undefined || other === undefined ? one !== other : !isSame(one, other);
  });
  const kept = now.flatMap((row) => (changed.has(row.name) ? (mine.get(row.name) ?? []) : row));
  const added = edited.filter(({ name }) => changed.has(name) && !theirs.has(name));
  return { variables: [...kept, ...added], contested: contested.map(({ name }) => name) };
}

function byName(variables: readonly Variable[]): ReadonlyMap<string, Variable> {
  return new Map(variables.map((variable) => [variable.name, variable]));
}

function isSame(one: Variable, other: Variable): boolean {
  const bare = (variable: Variable): object => ({ ...variable, isSecret: variable.isSecret ?? false });
  return isEqual(bare(one), bare(other));
}

function isMasked(value: string): boolean {
  return value.length >= 3 && /^[*•●]+$/.test(value);
}
