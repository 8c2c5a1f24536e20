import type { Problem } from '../codes.ts';
import type { ModelFile } from '../file.ts';
import type { Instrumented, WrittenTag } from './instrument.ts';
import type { Rendering } from './rendering.ts';

/** Why the template engine cannot render a template, at a position of this version of its text. */
export interface TemplateFailure {
  readonly source: ModelFile;
  readonly problem: Problem;
}

/** What is known of a file's template after it was rendered. */
export interface TemplateResult {
  readonly path: string;
  /** Undefined if its output is unknown. */
  readonly rendering: Rendering | undefined;
  /** Undefined if it was rendered, or might be. */
  readonly failure: TemplateFailure | undefined;
}

/** A template that was passed to the template engine under a name. */
interface Rendered {
  readonly file: ModelFile;
  readonly name: string;
  readonly instrumented: Instrumented;
}

/** An error of the template engine: what it says, and the template and the line in which it stopped. */
const MESSAGE = /^(.*?) \(in (.+):(\d+)\)/s;
/** The part of an error that is read: names in it may have any length. */
const LONGEST = 2000;
/** Errors that may come from what was replaced, or that only this host has. */
const UNSURE = /fuel|template not found|could not render include|recursion limit|unknown block/;

/**
 * Returns the failure that an error of the template engine stands for; undefined if the original template might not fail in this
 * way, because values in it are unknown. `isKnown`: whether nothing unknown is in any template that takes part.
 */
export function failureOf(
  error: string,
  templates: readonly Rendered[],
  isKnown: boolean,
): TemplateFailure | undefined {
  const [, said = '', name, line] = MESSAGE.exec(error.slice(0, LONGEST)) ?? [];
  const [kind, detail] = kindAndDetail(said);
  const rendered = templates.find((each) => each.name === name);
  if (!rendered || UNSURE.test(error)) return undefined;
  const tags = tagsAt(rendered, Number(line)).filter(({ isSure }) => isKnown || isSure);
  const { text } = rendered.file;
  const words = detail?.match(/[a-z_]\w*$|(?<=\b(?:filter|test|named) )[a-z_]\w*/gi) ?? [];
  const named = tags.find(({ start, end }) => words.some((word) => wordAt(text.slice(start, end), word) !== -1));
  const [first] = named ? [named] : tags;
  const last = named ?? tags.at(-1);
  if (!first || !last) return undefined;
  const range = named ? rangeOfWord(text, named, words) : { start: first.start, end: last.end };
  const message = `The template engine cannot render this: ${detail ?? kind}.`;
  return { source: rendered.file, problem: { code: 'jinja-syntax', message, ...range } };
}

/** Divides what an error says: the detail is on its last line, behind a colon. */
function kindAndDetail(said: string): readonly [kind: string, detail?: string] {
  const colon = said.indexOf(': ', said.lastIndexOf('\n') + 1);
  return colon === -1 ? [said] : [said.slice(0, colon), said.slice(colon + 2)];
}

/** Returns the tags that contain a line of the rendered text. */
function tagsAt({ file, instrumented }: Rendered, line: number): readonly WrittenTag[] {
  return instrumented.tags.filter((tag) => {
    const more = file.text.slice(tag.start, tag.end).split('\n').length - 1;
    return tag.line <= line && line <= tag.line + more;
  });
}

function rangeOfWord(
  text: string,
  { start, end }: WrittenTag,
  words: readonly string[],
): Pick<Problem, 'start' | 'end'> {
  for (const word of words) {
    const at = wordAt(text.slice(start, end), word);
    if (at !== -1) return { start: start + at, end: start + at + word.length };
  }
  return { start, end };
}

function wordAt(text: string, word: string): number {
  return text.search(new RegExp(`\\b${word}\\b`));
}
