import { joinPicture, NODE_HEIGHT } from '#features/lineage/join-graph.ts';
import type { Graph } from './graph-schema.ts';

/** Formats a graph as an SVG file that needs no other file, with the layout of the editor's join graph. */
export function toSvg({ shows, nodes, edges }: Graph): string {
  const drawn = { uri: '', line: 0 };
  const picture = joinPicture({
    nodes: nodes.map(({ name }) => ({ ...drawn, name, kind: 'cube', measures: 0, dimensions: 0 })),
    edges: edges.map(({ from, to, kind }) => ({ ...drawn, from, to, relationship: kind === 'uses' ? '' : kind })),
  });
  const { width, height } = picture;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13">`,
    `<title>${shows === 'joins' ? 'Joins' : 'Lineage'}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...picture.edges.flatMap(({ path, relationship, x, y }) => [
      `<path d="${path}" fill="none" stroke="#5f6b7a"/>`,
      ...(relationship === ''
        ? []
        : [
            `<text x="${x}" y="${y}" text-anchor="middle" font-size="11" fill="#3b4350">${escaped(relationship)}</text>`,
          ]),
    ]),
    ...picture.nodes.flatMap(({ name, x, y, width: wide }) => [
      `<rect x="${x}" y="${y}" width="${wide}" height="${NODE_HEIGHT}" rx="4" fill="#eef2f7" stroke="#5f6b7a"/>`,
      `<text x="${x + wide / 2}" y="${y + NODE_HEIGHT / 2}" text-anchor="middle" dominant-baseline="central" fill="#14181f">${escaped(name)}</text>`,
    ]),
    '</svg>',
  ].join('\n');
}

/** Escapes a name of the model as text of the picture: it can contain neither markup nor a character that XML forbids. */
function escaped(name: string): string {
  return name
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '\uFFFD')
    .replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}
