import { hostFigures } from './chat/host.ts';
import { viewFigures } from './chat/view.ts';
import type { Bench } from './figures.ts';

/** The chat's costs: reading streams in the extension host, showing them in a browser that is four times slower. */
export const run: Bench = async ({ quick }) => [...(await hostFigures(quick)), ...(await viewFigures(quick))];
