import { resolved } from '#api/description/described-values.ts';
import { own } from '#base/own.ts';
import { isEqual } from '#base/equal.ts';
import { isObject } from '#api/schema.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import type { Fields } from './rows.ts';

/** A problem with a field of a body: the field as a dotted path, and a phrase that follows its name. */
export interface BodyProblem {
  readonly field: string;
  readonly message: string;
}

/**
 * Checks a body against the JSON Schema of the server’s description, as far as the result is certain: types, enumerations,
 * missing, empty and unknown fields. The server checks the rest. `isPartial`: only changed fields are sent, so none counts as
 * missing.
 *
 * A general validator would let a tenant decide how long it runs (patterns, schemas that double at each step). This one has a
 * budget and reports nothing once it is spent.
 */
export function bodyProblem(schema: JsonSchema, body: Fields, isPartial: boolean): BodyProblem | undefined {
  const check = new Check(schema, isPartial);
  const found = check.problem(schema, body, []);
  return check.isSpent ? undefined : found;
}

const budget = 20_000;
/** Only recursive or malicious schemas nest deeper than this. */
const deepest = 40;

class Check {
  readonly #root: JsonSchema;
  readonly #isPartial: boolean;
  #steps = 0;

  constructor(root: JsonSchema, isPartial: boolean) {
    this.#root = root;
    this.#isPartial = isPartial;
  }

  get isSpent(): boolean {
    return this.#steps > budget;
  }

  problem(schema: unknown, value: unknown, path: readonly string[], depth = 0): BodyProblem | undefined {
    this.#steps += 1;
    if (this.isSpent || depth > deepest || !isObject(schema)) return undefined;
    const own = typeof schema['$ref'] === 'string' ? this.#referred(schema) : schema;
    return (
      wrongValue(own, value, path) ??
      (isObject(value) ? this.#inObject(own, value, path, depth) : undefined) ??
      (Array.isArray(value) ? this.#inList(own, value, path, depth) : undefined) ??
      this.#inChoices(own, value, path, depth)
    );
  }

  /** Merges a reference with the fields beside it. A reference that cannot be resolved adds no rules. */
  #referred({ $ref, ...beside }: JsonSchema): JsonSchema {
    return { allOf: [resolved({ $ref }, this.#root)], ...beside };
  }

  #inObject(schema: JsonSchema, value: Fields, path: readonly string[], depth: number): BodyProblem | undefined {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    const missing = required.filter((name) => typeof name === 'string').find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined && !(this.#isPartial && path.length === 0)) {
      return { field: [...path, missing].join('.'), message: 'is missing' };
    }
    const isClosed = schema['additionalProperties'] === false && schema['patternProperties'] === undefined;
    for (const [name, item] of Object.entries(value)) {
      const at = [...path, name];
      if (Object.hasOwn(properties, name)) {
        const found = this.problem(properties[name], item, at, depth + 1);
        if (found) return found;
      } else if (isClosed) return { field: at.join('.'), message: 'is not a field of this operation' };
    }
    return undefined;
  }

  #inList(schema: JsonSchema, value: readonly unknown[], path: readonly string[], depth: number) {
    for (const [index, item] of value.entries()) {
      const found = this.problem(schema['items'], item, [...path, String(index)], depth + 1);
      if (found) return found;
    }
    return undefined;
  }

  #inChoices(schema: JsonSchema, value: unknown, path: readonly string[], depth: number): BodyProblem | undefined {
    for (const each of listOf(schema['allOf'])) {
      const found = this.problem(each, value, path, depth + 1);
      if (found) return found;
    }
    for (const choices of [listOf(schema['anyOf']), listOf(schema['oneOf'])]) {
      const problems = choices.map((each) => this.problem(each, value, path, depth + 1));
      const [first] = problems;
      // If a value matches none of several alternatives, which of them it was meant to match is a guess: only the position is
      // certain.
      if (first && !problems.includes(undefined)) return choices.length === 1 ? first : unfit(path);
    }
    return undefined;
  }
}

const unfit = (path: readonly string[]): BodyProblem => ({
  field: path.join('.'),
  message: 'does not match the server’s API description',
});

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Checks the value itself. The message never repeats the value, because it may be a secret. */
function wrongValue(schema: JsonSchema, value: unknown, path: readonly string[]): BodyProblem | undefined {
  const message = notListed(schema, value) ?? ofAnotherKind(schema, value) ?? malformed(schema, value);
  return message === undefined ? undefined : { field: path.join('.'), message: message };
}

function notListed(schema: JsonSchema, value: unknown): string | undefined {
  const listed: readonly unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const values = 'const' in schema ? [schema['const']] : listed;
  if (values.length === 0 || values.some((each) => isEqual(each, value))) return undefined;
  return `must be one of ${values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ')}`;
}

function ofAnotherKind({ type }: JsonSchema, value: unknown): string | undefined {
  const kinds = [type]
    .flat()
    .filter((kind): kind is string => typeof kind === 'string' && own(kindNames, kind) !== undefined);
  if (kinds.length === 0 || kinds.some((kind) => isOf(kind, value))) return undefined;
  return `must be ${kinds.map((kind) => kindNames[kind]).join(' or ')}`;
}

function malformed(schema: JsonSchema, value: unknown): string | undefined {
  const least = schema[Array.isArray(value) ? 'minItems' : 'minLength'];
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty && typeof least === 'number' && least > 0) return 'must not be empty';
  if (schema['format'] !== 'email' || typeof value !== 'string') return undefined;
  return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'must be an e-mail address';
}

function isOf(kind: string, value: unknown): boolean {
  switch (kind) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === kind;
  }
}
