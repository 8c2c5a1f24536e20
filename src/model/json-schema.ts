import { camelize } from './language/camelize.ts';
import { language } from './language/language.ts';
import type { Key, Rule, Shape, ShapeName, Type, When } from './language/types.ts';

type Schema = Readonly<Record<string, unknown>>;

const PATTERNS: Readonly<Record<string, string>> = {
  identifier: '^[_a-zA-Z][_a-zA-Z0-9]*$',
  interval: '^-?\\d+ (minute|hour|day|week|month|quarter|year)s?$',
  rollingInterval: '^(unbounded|-?\\d+ (minute|hour|day|week|month|quarter|year)s?)$',
  everyInterval: '^\\d+ (second|minute|hour|day|week)s?$',
};

/** Returns the table of the language as a JSON Schema (draft-07) for editors without a language server of ours. */
export function jsonSchema(): Schema {
  const names = Object.keys(language) as ShapeName[];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Data model',
    $comment: 'Generated from src/model/language by test/tools/language-files.ts: do not edit.',
    ...shapeSchema(language.file),
    definitions: Object.fromEntries(
      names.filter((name) => name !== 'file').map((name) => [name, shapeSchema(language[name])]),
    ),
  };
}

/**
 * Returns the schema without anything that rejects a model, for editors in which our own language server reports problems:
 * nothing is reported twice. Keys, values and explanations remain.
 */
export function helpSchema(): Schema {
  return lenient(jsonSchema()) as Schema;
}

const REFUSING: ReadonlySet<string> = new Set(['type', 'additionalProperties', 'allOf', 'pattern', 'minItems']);
/** Keywords that contain names, not keywords. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'definitions']);

function lenient(schema: unknown, isNamed = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => lenient(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => isNamed || (!REFUSING.has(key) && key !== 'enum'));
  const rest = Object.fromEntries(kept.map(([key, value]) => [key, lenient(value, !isNamed && NAMED.has(key))]));
  return 'enum' in schema && !isNamed ? { ...rest, anyOf: [{ enum: schema.enum }, {}] } : rest;
}

function shapeSchema(shape: Shape): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, key] of Object.entries(shape.keys)) {
    properties[name] = keySchema(key);
    if (shape.camel && camelize(name) !== name) properties[camelize(name)] = keySchema(key);
  }
  const required = Object.keys(shape.keys).filter((name) => shape.keys[name]?.required);
  const conditions = [
    ...required.map((name) => anyOf([name], shape)),
    ...(shape.rules ?? []).map((rule) => ruleSchema(rule, shape)),
  ];
  return {
    type: 'object',
    title: shape.title,
    description: shape.doc,
    properties,
    additionalProperties: false,
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
  };
}

function keySchema({ type, doc, deprecated }: Key): Schema {
  return {
    description: deprecated ? `${doc} Deprecated: ${deprecated.why}` : doc,
    ...(deprecated ? { deprecated: true } : {}),
    ...typeSchema(type),
  };
}

type SchemaOf = { readonly [T in Type['is']]: (type: Type & { readonly is: T }) => Schema };

const SCHEMAS: SchemaOf = {
  text: ({ choices, format }) => {
    if (choices) return { enum: [...new Set(choices.flatMap(({ value }) => [value, camelize(value)]))] };
    return { type: 'string', ...(format && PATTERNS[format] !== undefined ? { pattern: PATTERNS[format] } : {}) };
  },
  sql: () => ({ type: ['string', 'number', 'boolean'] }),
  reference: () => ({ type: 'string' }),
  // Some may be expressions.
  boolean: () => ({ type: ['boolean', 'string'] }),
  number: () => ({ type: 'number' }),
  list: ({ of, min }) =>
    of.is === 'reference' ? { anyOf: [arraySchema(of, min), { type: 'string' }] } : arraySchema(of, min),
  members: ({ shape }) => ({ type: ['array', 'null'], items: { $ref: `#/definitions/${shape}` } }),
  map: ({ shape }) => ({ $ref: `#/definitions/${shape}` }),
  either: ({ of }) => ({ anyOf: of.map(typeSchema) }),
  any: () => ({}),
};

function typeSchema(type: Type): Schema {
  // The table has a function for each kind of type; the compiler cannot see that this one fits.
  return (SCHEMAS[type.is] as (type: Type) => Schema)(type);
}

function arraySchema(of: Type, min: number | undefined): Schema {
  return { type: 'array', items: typeSchema(of), ...(min === undefined ? {} : { minItems: min }) };
}

/** Returns both spellings of each key. */
function spellings(keys: readonly string[], shape: Shape): string[] {
  return [...new Set(keys.flatMap((key) => (shape.camel ? [key, camelize(key)] : [key])))];
}

function anyOf(keys: readonly string[], shape: Shape): Schema {
  const options = spellings(keys, shape).map((key) => ({ required: [key] }));
  return options.length === 1 ? (options[0] ?? {}) : { anyOf: options };
}

function ruleSchema(rule: Rule, shape: Shape): Schema {
  const demand = consequence(rule, shape);
  if (rule.when === undefined) return demand;
  // oxlint-disable-next-line unicorn/no-thenable -- `then` is a keyword of JSON Schema, and nothing awaits a schema
  return { if: { allOf: rule.when.map((when) => whenSchema(when, shape)) }, then: demand };
}

function consequence(rule: Rule, shape: Shape): Schema {
  switch (rule.rule) {
    case 'some':
      return anyOf(rule.keys, shape);
    case 'all':
      return { allOf: rule.keys.map((key) => anyOf([key], shape)) };
    case 'none':
      return { not: anyOf(rule.keys, shape) };
    case 'exclusive': {
      const pairs = rule.keys.flatMap((key, at) =>
        rule.keys.slice(at + 1).map((other) => ({ allOf: [anyOf([key], shape), anyOf([other], shape)] })),
      );
      return { not: { anyOf: pairs } };
    }
    default:
      return rule;
  }
}

function whenSchema(when: When, shape: Shape): Schema {
  if (when.absent) return { not: anyOf([when.key], shape) };
  if (when.in === undefined && when.notIn === undefined) return anyOf([when.key, ...(when.or ?? [])], shape);
  const values = (when.in ?? when.notIn ?? []).flatMap((value): (string | boolean)[] =>
    value === 'true' || value === 'false' ? [value === 'true'] : [value, camelize(value)],
  );
  const holds = {
    anyOf: spellings([when.key], shape).map((key) => ({
      required: [key],
      properties: { [key]: { enum: [...new Set(values)] } },
    })),
  };
  return when.in ? holds : { not: holds };
}
