/** Everything that the engine's schema allows at one position of a model, over all of its alternatives. */
export interface SchemaNode {
  readonly keys: Map<string, SchemaNode>;
  /** The schema of the values of freely chosen keys: members by name. */
  named: SchemaNode | undefined;
  item: SchemaNode | undefined;
  readonly kinds: Set<string>;
  readonly values: Set<string>;
}

/** The fields of Joi's description of a schema that are read here. */
interface Described {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly patterns?: readonly { readonly rule: Described }[];
  readonly items?: readonly Described[];
  readonly allow?: readonly unknown[];
  readonly matches?: readonly Match[];
  readonly whens?: readonly Match[];
}

interface Match {
  readonly schema?: Described;
  readonly then?: Described;
  readonly otherwise?: Described;
  readonly switch?: readonly Match[];
}

/** Returns the union of all alternatives of a schema. */
export function unionOf(description: unknown): SchemaNode {
  const node: SchemaNode = { keys: new Map(), named: undefined, item: undefined, kinds: new Set(), values: new Set() };
  add(description as Described, node);
  return node;
}

function add(described: Described, node: SchemaNode): void {
  const { type, keys = {}, allow = [], matches = [], whens = [] } = described;
  if (type !== undefined && type !== 'alternatives') node.kinds.add(type);
  for (const [key, value] of Object.entries(keys)) add(value, child(node.keys, key));
  for (const value of allow) if (typeof value === 'string') node.values.add(value);
  for (const match of [...matches, ...whens]) addMatch(match, node);
  addItems(described, node);
}

function addItems({ patterns = [], items = [] }: Described, node: SchemaNode): void {
  for (const { rule } of patterns) add(rule, (node.named ??= unionOf({})));
  for (const item of items) add(item, (node.item ??= unionOf({})));
}

function addMatch(match: Match, node: SchemaNode): void {
  for (const option of [match.schema, match.then, match.otherwise]) if (option) add(option, node);
  for (const option of match.switch ?? []) addMatch(option, node);
}

function child(keys: Map<string, SchemaNode>, key: string): SchemaNode {
  let node = keys.get(key);
  if (!node) keys.set(key, (node = unionOf({})));
  return node;
}
