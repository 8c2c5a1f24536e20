/** A cube with a key and a count, and what else is in its definition. */
export function cube(rest: string, name = `'orders'`): string {
  const id = `id: { sql: \`id\`, type: 'number', primaryKey: true }`;
  return `cube(${name}, { sql_table: \`t\`, dimensions: { ${id} }, ${rest} });`;
}

/** The file of a model that is such a script. */
export const script = (text: string): string => `// file: m.js\n${text}`;
