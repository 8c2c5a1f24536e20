import { plural } from '#base/words.ts';
import { contentPolicy } from '#shell/content-policy.ts';
import type { JoinGraphResult } from './messages.ts';
import { joinPicture, NODE_HEIGHT, type PlacedEdge, type PlacedNode } from './join-graph.ts';

/** What the page needs of the window. */
export interface JoinGraphPage {
  readonly graph: JoinGraphResult;
  /** The address behind a place in a file. */
  readonly link: (uri: string, line: number) => string;
  readonly nonce: string;
}

/**
 * The join graph as a page without any script: cubes and joins are links to where they are written, in reading order, so
 * that the keyboard and a screen reader get along.
 */
export function joinGraphPage({ graph, link, nonce }: JoinGraphPage): string {
  const { width, height, nodes, edges } = joinPicture(graph);
  const body =
    nodes.length === 0
      ? '<p>This model has no cubes yet.</p>'
      : `<div class="picture"><svg width="${width}" height="${height}" aria-hidden="true">${edges.map(drawn).join('')}</svg>
${nodes.map((node) => cube(node, link)).join('\n')}
${edges.map((edge) => join(edge, link)).join('\n')}</div>`;
  const rules = [...nodes.map(nodeRule), ...edges.map(edgeRule)].join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy({ 'style-src': `'nonce-${nonce}'` })}">
<title>Join Graph</title>
<style nonce="${nonce}">
${STYLE}
.picture { width: ${width}px; height: ${height}px }
${rules}
</style>
</head>
<body>
<h1>Joins</h1>
${body}
</body>
</html>
`;
}

const STYLE = `body { padding: 12px; color: var(--vscode-foreground); font-family: var(--vscode-font-family) }
h1 { font-size: 1.1em; margin: 0 0 8px }
.picture { position: relative }
svg { position: absolute; inset: 0 }
path { fill: none; stroke: var(--vscode-descriptionForeground); stroke-width: 1.3 }
a { position: absolute; box-sizing: border-box; text-decoration: none; color: inherit }
a:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 1px }
.cube { height: ${NODE_HEIGHT}px; padding: 4px 10px; border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-descriptionForeground))); border-radius: 6px; background: var(--vscode-editorWidget-background); white-space: nowrap; overflow: hidden }
.cube:hover { border-color: var(--vscode-focusBorder) }
.cube b { display: block; font-family: var(--vscode-editor-font-family) }
.cube span { font-size: 0.85em; color: var(--vscode-descriptionForeground) }
.join { transform: translate(-50%, -50%); padding: 0 4px; font-size: 0.8em; background: var(--vscode-editor-background); color: var(--vscode-textLink-foreground) }
.join:hover { text-decoration: underline }`;

const SIGNS: Readonly<Record<string, string>> = {
  many_to_one: 'n : 1',
  one_to_many: '1 : n',
  one_to_one: '1 : 1',
};

function drawn({ path }: PlacedEdge): string {
  return `<path d="${path}"/>`;
}

function cube(node: PlacedNode, link: JoinGraphPage['link']): string {
  const counts = `${plural(node.measures, 'measure')}, ${plural(node.dimensions, 'dimension')}`;
  return `<a class="cube" id="${idOf(node.name)}" href="${escape(link(node.uri, node.line))}"><b>${escape(node.name)}</b><span>${counts}</span></a>`;
}

function join(edge: PlacedEdge, link: JoinGraphPage['link']): string {
  const sign = SIGNS[edge.relationship] ?? edge.relationship;
  const words = `${edge.from} joins ${edge.to}, ${edge.relationship.replaceAll('_', ' ')}`;
  return `<a class="join" id="${idOf(`${edge.from} ${edge.to}`)}" href="${escape(link(edge.uri, edge.line))}" aria-label="${escape(words)}" title="${escape(words)}">${escape(sign)}</a>`;
}

function nodeRule({ name, x, y, width }: PlacedNode): string {
  return `[id="${idOf(name)}"] { left: ${x}px; top: ${y}px; width: ${width}px }`;
}

function edgeRule({ from, to, x, y }: PlacedEdge): string {
  return `[id="${idOf(`${from} ${to}`)}"] { left: ${x}px; top: ${y}px }`;
}

/** Names of a model as they come may be anything. */
function idOf(name: string): string {
  return encodeURIComponent(name).replaceAll("'", '%27');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
