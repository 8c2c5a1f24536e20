import { type Edit, modify } from 'jsonc-parser';
import { isObject } from '#api/schema.ts';
import type { JsonPath } from '#shell/json-text.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { choicesOf } from './form-fields.ts';
import { isSecretAt, namesSecret, nullable, requiredOf, schemaAt, typesOf, valueAt } from './form-schema.ts';

/** A replacement in the text of a document: offsets in characters. */
export type TextEdit = Readonly<Edit>;

/** A document as a form edits it. */
export interface EditedDocument {
  readonly text: string;
  /** What the text holds. */
  readonly value: unknown;
  readonly schema: JsonSchema;
}

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** Writes a value into the text and leaves the rest as it is, comments included; `undefined` takes the field away. */
export function writeAt(text: string, path: JsonPath, value: unknown): readonly TextEdit[] {
  return modify(text, [...path], value, { formattingOptions });
}

/** What a field holds after a user typed or chose something; `undefined`: the field is left out. */
export function typedValue(
  { value: document, schema: root }: EditedDocument,
  path: JsonPath,
  typed: string | number | boolean,
): unknown {
  const schema = schemaAt(root, path);
  if (typeof typed === 'boolean') return typed;
  if (typeof typed === 'number') return choicesOf(schema)?.[typed] ?? (nullable(schema) ? null : undefined);
  const types = typesOf(schema, valueAt(document, path));
  if (types.has('array')) return linesOf(typed, schemaAt(root, [...path, 0]), valueAt(document, [...path, 0]));
  if (typed === '') return emptied(root, document, path);
  if (types.has('number')) return numberOr(typed, types.has('string') ? typeBeside(document, path) : 'number');
  return typed;
}

/** The edits that add an entry to a list. */
export function addedEntry({ text, value, schema }: EditedDocument, path: JsonPath): readonly TextEdit[] {
  const entries = entriesAt(value, path);
  return writeAt(text, [...path, entries.length], emptyEntry(schema, value, path));
}

/** The edits that add what the lines of an `.env` file set: a known name gets the new value, a name that looks like one is a secret. */
export function addedVariables(
  { text, value }: EditedDocument,
  path: JsonPath,
  variables: Readonly<Record<string, string | undefined>>,
): readonly TextEdit[] {
  const entries = entriesAt(value, path);
  const given = new Map(Object.entries(variables));
  const kept = entries.map((entry) => {
    const name = isObject(entry) ? String(entry['name']) : '';
    const next = given.get(name);
    given.delete(name);
    return next === undefined || !isObject(entry) ? entry : { ...entry, value: next };
  });
  const added = [...given].map(([name, each]) => ({ name, value: each, isSecret: namesSecret(name) }));
  return writeAt(text, path, [...kept, ...added]);
}

function entriesAt(document: unknown, path: JsonPath): readonly unknown[] {
  const entries = valueAt(document, path);
  return Array.isArray(entries) ? entries : [];
}

/** A field without a value: null where the platform takes that, absent where it may be, else an empty text. */
function emptied(root: JsonSchema, document: unknown, path: JsonPath): unknown {
  const schema = schemaAt(root, path);
  if (nullable(schema) || valueAt(document, path) === null) return null;
  const isNeeded = requiredOf(schemaAt(root, path.slice(0, -1))).includes(path.at(-1));
  const takesText = typesOf(schema, valueAt(document, path)).has('string') && !(Number(schema['minLength']) > 0);
  return takesText || isNeeded ? '' : undefined;
}

/** Text that is not a number is kept as it was typed: the rules say so at the field. */
function numberOr(typed: string, type: string): unknown {
  if (type !== 'number') return type === 'boolean' && /^(true|false)$/.test(typed) ? typed === 'true' : typed;
  const number = Number(typed);
  return typed.trim() === '' || Number.isNaN(number) ? typed : number;
}

/** Of a value that may be of several kinds, the kind that the field `type` beside it names. */
function typeBeside(document: unknown, path: JsonPath): string {
  const type = valueAt(document, [...path.slice(0, -1), 'type']);
  return typeof type === 'string' ? type : 'string';
}

function linesOf(typed: string, item: JsonSchema, first: unknown): readonly unknown[] {
  const isNumbers = typesOf(item, first).has('number') && !typesOf(item, first).has('string');
  return typed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (isNumbers ? numberOr(line, 'number') : line));
}

/** An entry with what it needs, else with what its neighbours have: a blank in an optional field would be refused. */
function emptyEntry(root: JsonSchema, document: unknown, path: JsonPath): unknown {
  const at = [...path, 0];
  const known = valueAt(document, at);
  const needed = requiredOf(schemaAt(root, at)).map(String);
  const names = needed.length > 0 ? needed : Object.keys(isObject(known) ? known : {});
  return Object.fromEntries(
    names.map((name) => {
      const types = typesOf(schemaAt(root, [...at, name]), valueAt(known, [name]));
      return [name, types.has('boolean') ? false : ''] as const;
    }),
  );
}

/** Whether what was typed replaces a secret: an empty text leaves it as it is. */
export function keepsSecret(document: unknown, path: JsonPath, typed: string | number | boolean): boolean {
  return typed === '' && isSecretAt(document, path);
}
