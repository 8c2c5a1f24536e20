import * as v from 'valibot';
import { err, ok, type Result } from '#base/result.ts';
import { nearestName } from '#model/suggest.ts';
import { exampleOf } from './input-examples.ts';
import { oneLine } from './one-line.ts';

type Schema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The most characters of a wrong value that an error repeats. */
const LONGEST = 60;

/**
 * Checks the input of a tool. The error is a sentence with what is wrong, what is expected and an example; it is the same for every
 * caller.
 */
export function checkedInput<I extends Schema>(
  tool: string,
  schema: I,
  given: unknown,
): Result<v.InferOutput<I>, string> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return err(`The input of “${tool}” must be an object, not ${called(given)}.`);
  const unknown = unknownInput(tool, Object.keys(schema.entries), given);
  if (unknown !== undefined) return err(unknown);
  const parsed = v.safeParse(schema, given);
  if (parsed.success) return ok(parsed.output);
  const [{ path }] = parsed.issues;
  const name = String(path?.[0]?.key);
  const entry = schema.entries[name];
  const expected = entry ? expectedOf(tool, name, entry) : 'right';
  if (!Object.hasOwn(given, name)) return err(`“${name}” is missing: it must be ${expected}.`);
  const value: unknown = given[name as keyof typeof given];
  return err(`“${name}” must be ${expected}, not ${called(value)}.${hintOf(entry, value)}`);
}

/** Returns what is wrong with a misspelt input: left out silently, the tool would do something else than it was asked to. */
function unknownInput(tool: string, known: readonly string[], given: object): string | undefined {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const near = nearestName(unknown, known);
  const hint = near === undefined ? `It has ${known.join(', ')}.` : `Did you mean “${near}”?`;
  return `“${tool}” has no input “${oneLine(unknown, LONGEST)}”. ${hint}`;
}

/** An entry of an input as this file reads it. Checks of its pipe have what they expect as their message. */
interface Entry {
  readonly type: string;
  readonly options?: readonly string[];
  readonly pipe?: readonly { readonly message?: unknown }[];
}

function entryOf(schema: v.ObjectEntries[string]): { readonly entry: Entry; readonly fallback: unknown } {
  if (!('wrapped' in schema)) return { entry: schema, fallback: undefined };
  const { wrapped, default: fallback } = schema as { readonly wrapped: unknown; readonly default?: unknown };
  return { entry: wrapped as Entry, fallback };
}

/** Returns what an input must be, with an example. */
function expectedOf(tool: string, name: string, schema: v.ObjectEntries[string]): string {
  const { entry, fallback } = entryOf(schema);
  const checked = entry.pipe?.map(({ message }) => message).find((message) => typeof message === 'string');
  switch (entry.type) {
    case 'boolean':
      return 'true or false';
    case 'picklist':
      return `one of ${entry.options?.join(', ')}`;
    case 'number':
      return `${checked ?? 'a number'}, such as ${String(fallback)}`;
    default: {
      const example = exampleOf(tool, name);
      return `${checked ?? 'a text'}${example === undefined ? '' : `, such as “${example}”`}`;
    }
  }
}

/** Returns the nearest choice to a misspelt one. */
function hintOf(schema: v.ObjectEntries[string] | undefined, value: unknown): string {
  const options = schema && entryOf(schema).entry.options;
  const near = options && typeof value === 'string' ? nearestName(value, options) : undefined;
  return near === undefined ? '' : ` Did you mean “${near}”?`;
}

/** Names a value, with its content where that is short. */
function called(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return `the text “${value.trim() === '' ? value : oneLine(value, LONGEST)}”`;
    case 'number':
      return `the number ${String(value)}`;
    case 'object':
      return value === null ? 'null' : 'an object';
    default:
      return String(value);
  }
}
