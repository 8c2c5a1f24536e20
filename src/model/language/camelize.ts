const camelNames = new Map<string, string>();

/** Converts `snake_case` to `camelCase`, as the engine does before it validates: `Sql_table` becomes `sqlTable`, too. */
export function camelize(name: string): string {
  let camel = camelNames.get(name);
  if (camel === undefined) {
    const [first = '', ...rest] = name.split('_');
    camel = first.charAt(0).toLowerCase() + first.slice(1);
    for (const word of rest) camel += word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
    camelNames.set(name, camel);
  }
  return camel;
}

/** Checks whether a key is one of `names` as the engine reads keys, that is, after it has converted both. */
export function isSpelling(key: string, names: readonly string[]): boolean {
  if (names.includes(key)) return true;
  // No other spelling than that of the table comes without a capital letter or a needless underscore.
  if (!/[A-Z]|^_|_(?:_|$)/.test(key)) return false;
  // It converts YAML twice, so that `_type` becomes `Type` and then `type`; where it does not, the key is an error of its own.
  const converted = camelize(camelize(key));
  return names.some((name) => camelize(name) === converted);
}
