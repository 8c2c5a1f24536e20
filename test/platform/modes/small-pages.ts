import type { Mode } from './mode.ts';
import { isRecord } from './types.ts';

/** No page holds more rows than this. */
const smallPage = 2;

/** Pages are smaller than what was asked for, and no list says how long it is (`pagination`, `count`). */
export const smallPages: Mode = {
  ask: (asked) => {
    const { operation } = asked;
    const url = new URL(asked.url);
    // A list without a cursor comes whole: there is no way to ask for the rest (docs/platform-api.md, reports).
    if (operation === undefined || url.searchParams.get('sortBy') === 'lastViewedAt') return asked;
    for (const name of sizes.filter(
      (each) => operation.query?.[`${each}?`] !== undefined && !isRowCount(operation.id),
    )) {
      const size = Number(url.searchParams.get(name) ?? smallPage);
      url.searchParams.set(name, String(Math.min(size, smallPage)));
    }
    return { ...asked, url };
  },
  answer: (_operation, answered) => {
    if (!isRecord(answered.json) || !('pagination' in answered.json)) return answered;
    const { pagination: _, ...rest } = answered.json;
    return { ...answered, json: rest };
  },
};

const sizes = ['limit', 'first', 'count'] as const;

/** Its `limit` says how many of the last rows are wanted, not how long a page is. */
const isRowCount = (id: string): boolean => id === 'getLogs';
