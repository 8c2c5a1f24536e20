/** A right value of each text that tools take, by the name of the input, or of the tool and the input where they differ. */
const examples: Readonly<Record<string, string>> = {
  base: 'HEAD',
  branch: 'dev-ada-1',
  container: 'MAIN',
  content: 'cubes: []',
  deployment: '12',
  find: 'type: count',
  message: 'Add refunds',
  name: 'orders.count',
  of: 'orders.count',
  path: 'model/orders.yml',
  plan: '1f0c2a9be433',
  query: '{"measures":["orders.count"]}',
  replace: 'type: sum',
  since: 'origin/main',
  token: 'eyJwYXRoIjoiYS55bWwifQ',
  version: '6f0c2a9be433',
  'diff.of': 'dev-ada-1',
  'logs.since': '2026-01-31T12:00:00Z',
  'search.query': 'revenue',
};

/** Returns a right value of a text that a tool takes; `undefined` if none is known. */
export function exampleOf(tool: string, input: string): string | undefined {
  return examples[`${tool}.${input}`] ?? examples[input];
}
