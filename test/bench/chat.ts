import { foldFigures } from './chat/fold.ts';
import { hostFigures } from './chat/host.ts';
import { paintFigures } from './chat/paints.ts';
import { viewFigures } from './chat/view.ts';
import type { Bench, Figure } from './figures.ts';

const parts: Readonly<Record<string, (quick: boolean) => Promise<readonly Figure[]>>> = {
  host: hostFigures,
  fold: foldFigures,
  view: viewFigures,
  paints: paintFigures,
};

/**
 * The chat's costs: reading streams and folding them in the extension host, showing them in a browser that is four times slower,
 * and drawing the same text as often as other renderers. `--part` runs one of `host`, `fold`, `view` and `paints`.
 */
export const run: Bench = async ({ quick, part }) => {
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (part === undefined || part === name) figures.push(...(await measure(quick)));
  return figures;
};
