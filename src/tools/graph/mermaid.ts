import type { Graph } from './graph-schema.ts';

/** Formats a graph as a Mermaid flowchart, which Markdown pages draw. */
export function toMermaid({ nodes, edges }: Graph): string {
  const ids = new Map(nodes.map(({ name }, at) => [name, `n${at}`]));
  return [
    'flowchart LR',
    ...nodes.map(({ name }) => `  ${ids.get(name) ?? ''}["${label(name)}"]`),
    ...edges.flatMap(({ from, to, kind }) => {
      const [start, end] = [ids.get(from), ids.get(to)];
      if (start === undefined || end === undefined) return [];
      return kind === 'uses' ? [`  ${start} --> ${end}`] : [`  ${start} -->|${kind}| ${end}`];
    }),
  ].join('\n');
}

/** Escapes a name for the text of a box, so that characters of the notation and of HTML are shown literally. */
function label(name: string): string {
  return name.replaceAll(/[^\w .-]/g, (sign) => `#${sign.codePointAt(0) ?? 0};`);
}
