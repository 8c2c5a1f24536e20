import { isObject } from '#api/schema.ts';
import { isEqual } from '#base/equal.ts';
import type { JsonPath } from '#shell/json-text.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { withoutSecrets } from './changes.ts';
import { labelAt } from './field-label.ts';
import { isSecretAt, nullable, properties, requiredOf, schemaAt, typesOf, valueAt } from './form-schema.ts';
import type { FieldControl, FormField } from './messages.ts';
import { linesOf } from './typed-text.ts';

/** Returns the problem with the field at a path. */
export type ProblemAt = (
  path: JsonPath,
) => { readonly message: string; readonly severity: 'error' | 'warning' } | undefined;

/**
 * Returns the fields of a document in the order of its schema, then those that only the document has. No field contains the value
 * of a secret.
 */
export function formFields(schema: JsonSchema, document: unknown, problemAt: ProblemAt): readonly FormField[] {
  return new Fields(schema, document, problemAt).at([]);
}

class Fields {
  readonly #schema: JsonSchema;
  readonly #document: unknown;
  readonly #problemAt: ProblemAt;

  constructor(schema: JsonSchema, document: unknown, problemAt: ProblemAt) {
    this.#schema = schema;
    this.#document = document;
    this.#problemAt = problemAt;
  }

  at(path: JsonPath): readonly FormField[] {
    return this.#names(path).map((name) => this.#field([...path, name]));
  }

  #names(path: JsonPath): readonly string[] {
    const value = valueAt(this.#document, path);
    const names = [
      ...Object.keys(properties(schemaAt(this.#schema, path))),
      ...Object.keys(isObject(value) ? value : {}),
    ];
    return [...new Set(names)].filter((name) => name !== '$schema');
  }

  #field(path: JsonPath): FormField {
    const schema = schemaAt(this.#schema, path);
    const name = String(path.at(-1) ?? '');
    const problem = this.#problemAt(path);
    return {
      path,
      label: labelAt(this.#schema, path),
      help: typeof schema['description'] === 'string' ? schema['description'] : '',
      isRequired: requiredOf(schemaAt(this.#schema, path.slice(0, -1))).includes(name),
      problem: problem?.message ?? '',
      severity: problem?.severity ?? 'error',
      control: this.#control(path, schema),
    };
  }

  #control(path: JsonPath, schema: JsonSchema): FieldControl {
    const value = valueAt(this.#document, path);
    const choices = choicesOf(schema);
    if (choices) return choiceOf(choices, value);
    const types = typesOf(schema, value);
    if (types.has('array')) return this.#list(path, value);
    if (types.has('object')) return this.#group(path, value);
    if (typeof value === 'object' && value !== null) return jsonOf(value);
    if (types.has('boolean') && types.size === 1) return { is: 'check', isOn: value === true };
    if (isSecretAt(this.#document, path)) return { is: 'secret', isSet: value !== '' };
    if (types.has('number') && types.size === 1) return { is: 'number', value: shown(value) };
    return textOf(String(path.at(-1)), shown(value));
  }

  #list(path: JsonPath, value: unknown): FieldControl {
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    const item = schemaAt(this.#schema, [...path, 0]);
    const isTable = entries.some((each) => isObject(each)) || isObject(item['properties']);
    if (!isTable) {
      if (isSecretAt(this.#document, path)) return { is: 'secret', isSet: entries.length > 0 };
      const lines = entries.map(String).join('\n');
      // Other entries, such as those with line breaks, would become different ones.
      return isEqual(linesOf(lines, item, entries[0]), entries) ? { is: 'lines', value: lines } : jsonOf(value);
    }
    const columns = [
      ...new Set(entries.flatMap((_, at) => this.#names([...path, at])).concat(Object.keys(properties(item)))),
    ];
    const rows = entries.map((_, at) => columns.map((name) => this.#field([...path, at, name])));
    return {
      is: 'table',
      columns: columns.map((name) => this.#field([...path, 0, name]).label),
      rows,
      takesLines: item['x-env'] === true,
    };
  }

  #group(path: JsonPath, value: unknown): FieldControl {
    const fields = path.length < 4 ? this.at(path) : [];
    return fields.length > 0 ? { is: 'group', fields } : jsonOf(value ?? {});
  }
}

/** Returns the values that can be chosen; `null` clears the field. */
export function choicesOf(schema: JsonSchema): readonly unknown[] | undefined {
  const { enum: values } = schema;
  if (Array.isArray(values)) return [...new Set([...(values as unknown[]), ...(nullable(schema) ? [null] : [])])];
  const types = typesOf(schema, undefined);
  return types.has('boolean') && types.size === 1 && nullable(schema) ? [null, true, false] : undefined;
}

function choiceOf(choices: readonly unknown[], value: unknown): FieldControl {
  const chosen = choices.indexOf(value);
  const unset = value === undefined ? choices.indexOf(null) : -1;
  return { is: 'choice', choices: choices.map(choiceLabel), chosen: chosen < 0 ? unset : chosen };
}

/** Returns the control of a value that only its JSON can change. */
function jsonOf(value: unknown): FieldControl {
  return { is: 'json', value: JSON.stringify(withoutSecrets(value)) };
}

function textOf(name: string, value: string): FieldControl {
  const isLong = value.includes('\n') || /description|message|body/i.test(name);
  return { is: isLong ? 'longText' : 'text', value };
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function choiceLabel(value: unknown): string {
  if (value === null) return 'Not set';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return shown(value);
}
