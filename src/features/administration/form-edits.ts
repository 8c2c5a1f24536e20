import { type Edit, modify } from 'jsonc-parser';
import { isObject } from '#api/schema.ts';
import type { JsonPath } from '#shell/json-text.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { choicesOf } from './form-fields.ts';
import { isSecretAt, namesSecret, nullable, requiredOf, schemaAt, typesOf, valueAt } from './form-schema.ts';
import { linesOf, numberOr } from './typed-text.ts';

/** A replacement in the text of a document: offsets in characters. */
export type TextEdit = Readonly<Edit>;

/** A document that a form edits. */
export interface EditedDocument {
  readonly text: string;
  /** The parsed text. */
  readonly value: unknown;
  readonly schema: JsonSchema;
}

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** Writes a value into the text and leaves the rest unchanged, comments included; `undefined` removes the field. */
export function writeAt(text: string, path: JsonPath, value: unknown): readonly TextEdit[] {
  return modify(text, [...path], value, { formattingOptions });
}

/** Returns the new value of a field after the user typed or chose something; `undefined` if the field is to be removed. */
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

/** Returns the edits that add an entry to a list. */
export function addedEntry({ text, value, schema }: EditedDocument, path: JsonPath): readonly TextEdit[] {
  const entries = entriesAt(value, path);
  return writeAt(text, [...path, entries.length], emptyEntry(schema, value, path));
}

/**
 * Returns the edits that add the variables of `.env` lines: a known name gets the new value, and a new name that looks like a
 * secret is marked as one.
 */
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

/**
 * Returns the value of an emptied field: null if the platform accepts it, an empty text if it takes text or is required,
 * otherwise `undefined`.
 */
function emptied(root: JsonSchema, document: unknown, path: JsonPath): unknown {
  const schema = schemaAt(root, path);
  if (nullable(schema) || valueAt(document, path) === null) return null;
  const isNeeded = requiredOf(schemaAt(root, path.slice(0, -1))).includes(path.at(-1));
  const takesText = typesOf(schema, valueAt(document, path)).has('string') && !(Number(schema['minLength']) > 0);
  return takesText || isNeeded ? '' : undefined;
}

/** Returns the type that the sibling field `type` names, for a value that may have several types. */
function typeBeside(document: unknown, path: JsonPath): string {
  const type = valueAt(document, [...path.slice(0, -1), 'type']);
  return typeof type === 'string' ? type : 'string';
}

/** Returns a new entry with its required fields, or else those of the first entry: blanks in optional fields would be refused. */
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

/** Whether an input leaves a secret unchanged: an empty text does. */
export function keepsSecret(document: unknown, path: JsonPath, typed: string | number | boolean): boolean {
  return typed === '' && isSecretAt(document, path);
}
