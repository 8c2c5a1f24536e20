import type { ModelFile } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import { type Instrumented, instrument, type Piece } from './instrument.ts';
import { Rendering } from './rendering.ts';
import { unknownValues } from './unknown-values.ts';

/** Templates of a model that have more characters than this together are not rendered. */
export const LARGEST_TEMPLATES = 2_000_000;

/** A template as the engine gets it: `marked` says where its characters come from, and both render to the same text. */
export interface TemplateQuestion {
  /** Relative to the model's root, `/` between folders. */
  readonly name: string;
  readonly marked: string;
  readonly plain: string;
}

/** What templates rendered to, in the order of the questions; null where the engine refused one. */
export type TemplateAnswer = readonly ({ readonly marked: string; readonly plain: string } | null)[];

/** The templates of a model as they are now, and what their rendering is made of. */
export class ModelTemplates {
  readonly #files: readonly ModelFile[];
  readonly #instrumented: readonly Instrumented[];
  readonly #pieces: Piece[] = [];

  constructor(index: ModelIndex) {
    this.#files = [...index.files()].filter(({ language, jinja }) => language === 'yaml' && jinja.length > 0);
    const unknown = unknownValues(this.#files, index.templateGlobals?.isPython !== false);
    this.#instrumented = [...unknown].flatMap(([file, values]) => instrument(file, values, this.#pieces) ?? []);
  }

  /** What they have in characters. */
  get size(): number {
    return this.#files.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** What the engine is asked; `nameOf` makes the name of a template of its path. */
  questions(nameOf: (path: string) => string): readonly TemplateQuestion[] {
    return this.#instrumented.map(({ path, marked, plain }) => ({ name: nameOf(path), marked, plain }));
  }

  /** What each file rendered to, one at a time; undefined where that is not known. */
  *renderings(answer: TemplateAnswer): Iterable<readonly [path: string, rendering: Rendering | undefined]> {
    const answers = new Map(this.#instrumented.map(({ path }, at) => [path, answer[at]]));
    for (const file of this.#files) {
      const found = answers.get(file.path);
      // Where the marks change what is rendered, a template computes with its own text.
      const isTrue = found && found.marked.replaceAll(/\uE010\d+\uE011|[\uE012-\uE014]/g, '') === found.plain;
      yield [file.path, isTrue ? new Rendering(file, found.marked, this.#pieces) : undefined];
    }
  }
}
