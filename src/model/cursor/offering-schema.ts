export type Schema = Readonly<Record<string, unknown>>;

/** A key of a map, with the type of its value and its documentation. */
export interface OfferedKey<Type> {
  readonly type: Type;
  readonly doc: string;
  readonly required?: true;
}

/** The keys of one kind of map. */
export interface OfferedMap<Type> {
  readonly title: string;
  readonly keys: Readonly<Record<string, OfferedKey<Type>>>;
}

/**
 * Returns a table of keys as a JSON Schema (draft-07) that rejects nothing: it offers and explains keys in editors in which
 * another YAML server is active, and our own server reports each problem once. `file` is the map at the root; nested maps refer
 * to the `shapes` by name.
 */
export function offeringSchema<Type>(
  file: OfferedMap<Type>,
  shapes: readonly (readonly [string, OfferedMap<Type>])[],
  schemaOfType: (type: Type) => Schema,
): Schema {
  const schemaOf = ({ keys }: OfferedMap<Type>): Schema => ({
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, { type, doc }]) => [name, { description: doc, ...schemaOfType(type) }]),
    ),
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: file.title,
    ...schemaOf(file),
    definitions: Object.fromEntries(shapes.map(([name, shape]) => [name, schemaOf(shape)])),
  };
}
