import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Operation } from '#api/operation.ts';

/** The position of a parameter in a request. */
export type ParameterPosition = 'path' | 'query' | 'body';

/** A parameter of an operation; nested fields are dotted, and entries of a list are `[]`: `files[].path`. */
export interface Parameter {
  readonly position: ParameterPosition;
  readonly name: string;
}

/** Returns every parameter in an operation’s request schemas. An object with free keys (`files` by path) is one parameter. */
export function parametersOf(op: Operation): readonly Parameter[] {
  return [...named('path', op.params), ...named('query', op.query), ...named('body', op.body)];
}

/** Returns the key of a parameter in the tables: `query source`. */
export const parameterKey = ({ position, name }: Parameter): string => `${position} ${name}`;

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

function named(position: ParameterPosition, schema: v.GenericSchema | undefined): readonly Parameter[] {
  return schema === undefined ? [] : fieldsOf(shapeOf(schema)).map((name) => ({ position, name }));
}

function shapeOf(schema: v.GenericSchema): Shape {
  return toJsonSchema(schema, { typeMode: 'input', target: 'draft-07', errorMode: 'ignore' }) as Shape;
}

const objectIn = (shape: Shape): Shape | undefined =>
  shape.properties ? shape : shape.anyOf?.map(objectIn).find((each) => each !== undefined);

/** Documents that are edited as a whole: their fields belong to the editor. */
const documents = new Set(['dashboardDraft']);

function fieldsOf(shape: Shape): readonly string[] {
  return Object.entries(objectIn(shape)?.properties ?? {}).flatMap(([name, field]) => {
    if (documents.has(name)) return [name];
    const entries = field.items ?? field.anyOf?.find(({ items }) => items)?.items;
    const inner = entries ? fieldsOf(entries).map((each) => `[].${each}`) : fieldsOf(field).map((each) => `.${each}`);
    return inner.length === 0 ? [name] : inner.map((each) => `${name}${each}`);
  });
}
