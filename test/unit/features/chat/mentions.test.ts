import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestMentions, matchScore, type Mention } from '#features/chat/mentions.ts';

const mention = (label: string): Mention => ({
  id: label,
  kind: 'member',
  label,
  detail: '',
  read: () => Promise.resolve(undefined),
});
const best = (query: string, ...labels: string[]): string[] =>
  bestMentions(labels.map(mention), query, 5).map(({ label }) => label);

describe('bestMentions', () => {
  it('puts the whole name first, then beginnings, then what holds it, then its letters in order', () => {
    const labels = ['reorders', 'o_r_d_e_r_s_x', 'orders_archive', 'orders', 'line_items.orders', 'customers'];
    expect(best('orders', ...labels)).toEqual([
      'orders',
      'orders_archive',
      'line_items.orders',
      'reorders',
      'o_r_d_e_r_s_x',
    ]);
  });

  it('finds a member by the beginnings of its words', () => {
    expect(best('ocnt', 'orders.count', 'orders.total', 'customers.name')).toEqual(['orders.count']);
    expect(best('omr', 'orders.monthly_revenue', 'products.name')).toEqual(['orders.monthly_revenue']);
  });

  it('ignores letter case and keeps to the limit', () => {
    expect(best('ORD', 'Orders')).toEqual(['Orders']);
    expect(bestMentions(['a', 'b', 'c'].map(mention), '', 2).map(({ label }) => label)).toEqual(['a', 'b']);
  });
});

describe('matchScore', () => {
  it('matches exactly the labels that hold all letters in order', () => {
    const letters = fc.stringMatching(/^[ab._]{0,6}$/);
    fc.assert(
      fc.property(letters, letters, (label, query) => {
        const inOrder = new RegExp(
          query
            .split('')
            .map((letter) => letter.replace('.', String.raw`\.`))
            .join('.*'),
        );
        expect(matchScore(label, query) !== undefined).toBe(inOrder.test(label));
      }),
    );
  });
});
