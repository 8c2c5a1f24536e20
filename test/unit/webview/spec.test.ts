import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmless } from '#webview/chat/chart/spec.ts';

const rows = [{ a: 1 }, { a: 2 }];

describe('harmless', () => {
  it('has our rows as its only data, at any depth', () => {
    const spec = {
      data: { url: 'https://evil.example/x.json' },
      datasets: { other: [] },
      layer: [{ data: { url: 'https://evil.example/y' }, mark: 'bar' }],
      usermeta: { embedOptions: { loader: {} } },
      transform: [{ lookup: 'a', from: { data: { url: 'https://evil.example/z' }, key: 'a' } }],
    };
    const clean = harmless(spec, rows);
    expect(clean['data']).toEqual({ values: rows });
    expect(JSON.stringify(clean)).not.toContain('evil');
    expect(clean).not.toHaveProperty('usermeta');
  });

  it('drops addresses and images whatever surrounds them', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant('https://evil.example'),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('url', 'href', 'mark', 'layer', 'data', 'type'), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    const keys = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...keys(inner)])
        : [];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('mark', 'layer', 'encoding', 'url'), json), (spec) => {
        const { data: _, ...clean } = harmless(spec, []);
        expect(keys(clean).filter((key) => ['url', 'href', 'data'].includes(key))).toEqual([]);
      }),
    );
    expect(harmless({ mark: { type: 'image', url: 'x' } }, rows)).not.toHaveProperty('mark');
    expect(harmless({ mark: 'image' }, rows)).not.toHaveProperty('mark');
  });

  it('refuses what is no description and what is nested beyond reason', () => {
    expect(() => harmless([], rows)).toThrow('no description');
    expect(() => harmless('x', rows)).toThrow('no description');
    const deep: unknown = JSON.parse(`${'{"layer":'.repeat(100)}1${'}'.repeat(100)}`);
    expect(() => harmless(deep, rows)).toThrow('too deeply');
  });

  it('limits what would keep the view busy, and makes up no rows', () => {
    const spec = {
      transform: [
        { density: 'a', steps: 1e9 },
        { impute: 'a', key: 'k', keyvals: { start: 0, stop: 1e9 } },
      ],
      encoding: { x: { bin: { maxbins: 1e9 }, axis: { tickCount: 1e9 } } },
      mark: { type: 'bar', opacity: 1 },
    };
    expect(harmless(spec, [])).toEqual({
      transform: [
        { density: 'a', steps: 1000 },
        { impute: 'a', key: 'k' },
      ],
      encoding: { x: { bin: { maxbins: 1000 }, axis: { tickCount: 1000 } } },
      mark: { type: 'bar', opacity: 1 },
      data: { values: [] },
    });
  });

  it('draws at most 5,000 rows', () => {
    const many = Array.from({ length: 6000 }, (_, n) => ({ n }));
    expect((harmless({}, many)['data'] as { values: unknown[] }).values).toHaveLength(5000);
  });
});
