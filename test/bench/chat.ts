import { foldFigures } from './chat/fold.ts';
import { hostFigures } from './chat/host.ts';
import { viewFigures } from './chat/view.ts';
import type { Bench } from './figures.ts';

/** The chat's costs: reading streams and folding them in the extension host, showing them in a browser that is four times slower. */
export const run: Bench = async ({ quick }) => [
  ...(await hostFigures(quick)),
  ...(await foldFigures(quick)),
  ...(await viewFigures(quick)),
];
