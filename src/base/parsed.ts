import * as v from 'valibot';

/** Returns the value as parsed by the schema, or `undefined` if it does not match. */
export function parsed<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : undefined;
}
