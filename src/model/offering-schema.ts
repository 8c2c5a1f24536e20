export type Schema = Readonly<Record<string, unknown>>;

/** The keys of one kind of map, with their types and documentation. */
interface Shape<Type> {
  readonly title: string;
  readonly keys: Readonly<Record<string, { readonly type: Type; readonly doc: string }>>;
}

/**
 * Returns a table of keys as a JSON Schema (draft-07) that rejects nothing: it offers and explains keys in editors in which
 * another YAML server is active, and our own server reports each problem once. `file` is the map at the root; nested maps refer
 * to the `shapes` by name.
 */
export function offeringSchema<Type>(
  file: Shape<Type>,
  shapes: readonly (readonly [string, Shape<Type>])[],
  schemaOfType: (type: Type) => Schema,
): Schema {
  const schemaOf = ({ keys }: Shape<Type>): Schema => ({
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
