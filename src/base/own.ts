/**
 * Returns the entry of a table for a key that comes from elsewhere. Reading it as a property would also find what every object has,
 * such as `constructor`.
 */
export function own<Entry>(table: Readonly<Partial<Record<string, Entry>>>, key: string): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
