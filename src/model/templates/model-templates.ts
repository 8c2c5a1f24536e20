import type { ModelFile } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import { type Instrumented, instrument, type Piece } from './instrument.ts';
import { Rendering } from './rendering.ts';
import { failureOf, type TemplateFailure, type TemplateResult } from './template-failure.ts';
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

/** The output of a template, the error that the engine refused it with, or null if neither is known. */
type RenderedTemplate = { readonly marked: string; readonly plain: string } | { readonly error: string } | null;

/** The output of templates, in the order of the questions. */
export type TemplateAnswer = readonly RenderedTemplate[];

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

  /** Yields the result of each file, one at a time. `nameOf` as for the questions. */
  *results(answer: TemplateAnswer, nameOf: (path: string) => string): Iterable<TemplateResult> {
    const answers = new Map(this.#instrumented.map(({ path }, at) => [path, answer[at]]));
    const failures = this.#failures(answer, nameOf);
    for (const file of this.#files) {
      const found = answers.get(file.path);
      // If the marks change the result, a template computes with its own text.
      const isTrue =
        found && 'marked' in found && found.marked.replaceAll(/\uE010\d+\uE011|[\uE012-\uE014]/g, '') === found.plain;
      const rendering = isTrue ? new Rendering(file, found.marked, this.#pieces) : undefined;
      yield { path: file.path, rendering, failure: failures.get(file) };
    }
  }

  /** Returns the first failure in each file, which may be one that others import. */
  #failures(answer: TemplateAnswer, nameOf: (path: string) => string): ReadonlyMap<ModelFile, TemplateFailure> {
    const failures = new Map<ModelFile, TemplateFailure>();
    const files = new Map(this.#files.map((file) => [file.path, file]));
    const templates = this.#instrumented.flatMap((instrumented) => {
      const file = files.get(instrumented.path);
      return file ? [{ file, name: nameOf(file.path), instrumented }] : [];
    });
    for (const [at, { path }] of this.#instrumented.entries()) {
      const found = answer[at];
      if (!found || !('error' in found)) continue;
      const failure = failureOf(found.error, templates, this.#isKnown(path, new Set()));
      if (failure && !failures.has(failure.source)) failures.set(failure.source, failure);
    }
    return failures;
  }

  /** Checks whether nothing unknown is in a template and in those whose names it contains. */
  #isKnown(path: string, seen: Set<string>): boolean {
    if (seen.has(path)) return true;
    seen.add(path);
    const own = this.#instrumented.find((each) => each.path === path);
    if (own?.isExact !== true) return false;
    return this.#files.every((other) => {
      const name = decodeURIComponent(other.path.slice(other.path.lastIndexOf('/') + 1));
      return !own.plain.includes(name) || this.#isKnown(other.path, seen);
    });
  }
}
