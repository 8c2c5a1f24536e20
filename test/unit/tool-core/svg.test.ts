import { describe, expect, it } from 'vitest';
import { SHOP } from '#support/language/shop.ts';
import { runOn } from '#support/tool-run.ts';
import { graph } from '#tools/graph/graph.ts';
import { toSvg } from '#tools/graph/svg.ts';

describe('a graph as a picture', () => {
  it('has a box for each cube and a line for each join', async () => {
    const svg = (await runOn(SHOP, graph)).render('svg');
    expect([...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)).toMatchInlineSnapshot(`
      [
        "many_to_one",
        "orders",
        "users",
      ]
    `);
    expect(svg.match(/<path /g)).toHaveLength(1);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"[^]*<\/svg>$/);
  });

  it('draws the lineage of one name', async () => {
    const svg = (await runOn(SHOP, graph, { of: 'orders.average' })).render('svg');
    expect(svg).toContain('>orders.average</text>');
    expect(svg).not.toContain('many_to_one');
  });

  it('holds no markup of a name, and no character that XML refuses', () => {
    const name = '</text><script>&"\u0000\uD800';
    const svg = toSvg({ shows: 'joins', nodes: [{ name, kind: 'cube' }], edges: [], incomplete: false });
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&#60;/text&#62;&#60;script&#62;&#38;&#34;\uFFFD\uFFFD');
  });
});
