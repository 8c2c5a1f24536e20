import type { Problem } from '../codes.ts';
import type { ModelFile } from '../file.ts';
import type { Rendering } from '../templates/rendering.ts';
import type { SourceRange } from '../templates/source-map.ts';

/** An expression whose quotes break the line that contains it. */
export interface QuotedOutput {
  /** Offsets are the file's. */
  readonly range: SourceRange;
  readonly message: string;
  /** The replacement text. */
  readonly text: string;
}

/**
 * Finds the template expression that breaks the YAML at an offset of the rendered text: the engine puts quotes around texts
 * (docs/model-language.md#templates), and more text is directly beside them.
 */
export function quotedOutputAt(at: number, file: ModelFile, rendering: Rendering): QuotedOutput | undefined {
  const { text } = rendering.file;
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', at);
  for (const { start, end } of rendering.map.outputsIn(lineStart, lineEnd === -1 ? text.length : lineEnd)) {
    const isQuoted = text[start] === '"' && text[end - 1] === '"' && end - start > 1;
    if (!isQuoted || !(isText(text[start - 1]) || isText(text[end]))) continue;
    const range = rendering.rangeIn(file, start, end);
    const written = file.text.slice(range.start, range.end);
    const inner = /^\{\{-?(.*?)-?\}\}$/s.exec(written)?.[1]?.trim();
    if (inner === undefined || /\|\s*safe\b/.test(inner)) continue;
    const fixed = `{{ ${inner} | safe }}`;
    const message = `\`${written}\` comes out in quotes, which break the text around it. Write \`${fixed}\`.`;
    return { range, message, text: fixed };
  }
  return undefined;
}

/** Checks whether a character beside the quotes belongs to the same value. */
function isText(character: string | undefined): boolean {
  return character !== undefined && !/[\s,:[\]{}]/.test(character);
}

/** Attributes a YAML problem to the expression that causes it. */
export function describedByOutput(problem: Problem, { range, message, text }: QuotedOutput): Problem {
  const { start, end } = range;
  const fix = { title: `Change to \`${text}\``, start, end, text };
  return { ...problem, start, end, message, fix };
}
