import type { InjectedMistake } from '../injected/mistakes.ts';
import { mistakesIn } from '../injected/mistakes.ts';
import type { ModelTexts } from '../injected/run-mistakes.ts';
import { plan, type PlannedModel } from './plan.ts';
import { Random } from './random.ts';
import { scriptCube, scriptView } from './script-writer.ts';
import { templatedCube } from './template-writer.ts';
import { dressed, yamlCube, yamlView } from './yaml-writer.ts';

/** The ways in which generated models are written; `mixed` writes each cube in another one. */
export const DIALECTS = ['yaml', 'template', 'script', 'mixed'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Generates a model that is meant to be accepted; the same seed generates the same one. */
export function generatedModel(seed: number, dialect: Dialect): ModelTexts {
  const random = new Random(seed);
  const planned = plan(random);
  const files: Record<string, string> = {};
  for (const cube of planned.cubes) {
    const own = dialect === 'mixed' ? random.pick(['yaml', 'template', 'script'] as const) : dialect;
    if (own === 'script') Object.assign(files, scriptCube(random, cube));
    else if (own === 'template') Object.assign(files, templatedCube(random, cube));
    else files[`cubes/${cube.name}.yml`] = dressed(random, file('cubes', yamlCube(random, cube)));
  }
  return { ...files, ...viewFile(random, planned, dialect) };
}

function viewFile(random: Random, planned: PlannedModel, dialect: Dialect): ModelTexts {
  const isScript = dialect === 'script' || (dialect === 'mixed' && random.chance(0.4));
  if (isScript) return { 'views/overview.js': scriptView(random, planned) };
  return { 'views/overview.yml': dressed(random, file('views', yamlView(random, planned))) };
}

function file(section: string, lines: readonly string[]): string {
  return [`${section}:`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), ''].join('\n');
}

/** Yields mistakes in each file of a model: those of each line, and each word of a tag or of code changed. */
export function* mistakesOf(model: ModelTexts): Iterable<InjectedMistake> {
  for (const [path, text] of Object.entries(model)) {
    yield* mistakesIn(path, text);
    for (const { 0: word, index } of text.matchAll(WORDS)) {
      const line = text.slice(0, index).split('\n').length;
      const content = `${text.slice(0, index)}${word}zq${text.slice(index + word.length)}`;
      yield { path, line, what: `word: ${word}`, content };
    }
  }
}

const WORDS = /[A-Za-z_]\w{2,}/g;
