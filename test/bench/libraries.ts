import type { Bench } from './figures.ts';
import { ignoreFigures } from './libraries/ignore.ts';
import { joinFigures } from './libraries/joins.ts';
import { listFigures } from './libraries/list.ts';
import { mergeFigures } from './libraries/merge.ts';
import { scriptFigures } from './libraries/scripts.ts';
import { yamlFigures } from './libraries/yaml.ts';

const parts = {
  ignore: ignoreFigures,
  joins: joinFigures,
  list: listFigures,
  merge: mergeFigures,
  scripts: scriptFigures,
  yaml: yamlFigures,
} as const;

/** Our own code beside the library that would replace it, where a decision in `docs/adr` says that ours stays. */
export const run: Bench = async ({ part }) => {
  const wanted = Object.entries(parts).filter(([name]) => part === undefined || name === part);
  return (await Promise.all(wanted.map(async ([, figures]) => figures()))).flat();
};
