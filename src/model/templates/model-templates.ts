import type { ModelFile } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import { type Instrumented, instrument, type Piece } from './instrument.ts';
import { Rendering } from './rendering.ts';
import { unknownValues } from './unknown-values.ts';

/** Templates of a model with more characters than this in total are not rendered. */
export const LARGEST_TEMPLATES = 2_000_000;

/** A template as the engine receives it: `marked` shows where its characters come from, and both must render to the same text. */
export interface TemplateQuestion {
  /** Relative to the model's root, `/` between folders. */
  readonly name: string;
  readonly marked: string;
  readonly plain: string;
}

/** The output of templates, in the order of the questions; null if the engine refused one. */
export type TemplateAnswer = readonly ({ readonly marked: string; readonly plain: string } | null)[];

/** The current templates of a model, and the data that their rendering needs. */
export class ModelTemplates {
  readonly #files: readonly ModelFile[];
  readonly #instrumented: readonly Instrumented[];
  readonly #pieces: Piece[] = [];

  constructor(index: ModelIndex) {
    this.#files = [...index.files()].filter(({ language, jinja }) => language === 'yaml' && jinja.length > 0);
    const unknown = unknownValues(this.#files, index.templateGlobals?.isPython !== false);
    this.#instrumented = [...unknown].flatMap(([file, values]) => instrument(file, values, this.#pieces) ?? []);
  }

  /** Their total length in characters. */
  get size(): number {
    return this.#files.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Returns the templates for the engine to render; `nameOf` converts the path of a template to its name. */
  questions(nameOf: (path: string) => string): readonly TemplateQuestion[] {
    return this.#instrumented.map(({ path, marked, plain }) => ({ name: nameOf(path), marked, plain }));
  }

  /** Yields the rendering of each file, one at a time; undefined if it is unknown. */
  *renderings(answer: TemplateAnswer): Iterable<readonly [path: string, rendering: Rendering | undefined]> {
    const answers = new Map(this.#instrumented.map(({ path }, at) => [path, answer[at]]));
    for (const file of this.#files) {
      const found = answers.get(file.path);
      // If the marks change the result, a template computes with its own text.
      const isTrue = found && found.marked.replaceAll(/\uE010\d+\uE011|[\uE012-\uE014]/g, '') === found.plain;
      yield [file.path, isTrue ? new Rendering(file, found.marked, this.#pieces) : undefined];
    }
  }
}
