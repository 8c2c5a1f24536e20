import type { ModelFile } from '#model/file.ts';
import type { ModelIndex } from '#model/index.ts';
import { splitAtCommas } from '#model/templates/expressions.ts';
import { macrosOf, templateNamed, templateSymbolsAt } from '#model/templates/template-names.ts';
import type { TemplateSymbol } from '#model/templates/read-template-names.ts';

/** Returns the macro that a call at an offset names, `total` or `macros.total`; undefined if no template declares it. */
export function calledMacro(
  name: string,
  file: ModelFile,
  offset: number,
  index: ModelIndex,
): TemplateSymbol | undefined {
  const [first = '', own] = name.split('.');
  const symbol = templateSymbolsAt(file, offset).find((each) => each.name === first);
  if (!symbol) return undefined;
  if (symbol.kind === 'macro') return own === undefined ? symbol : undefined;
  const wanted = symbol.kind === 'import' ? own : symbol.source?.name;
  const source = symbol.source && templateNamed(symbol.source.path, index);
  return source && macrosOf(source).find((each) => each.name === wanted);
}

/** Returns the parameters of a macro as they are written, defaults included: `name`, `type='sum'`. */
export function parametersOf({ text }: TemplateSymbol): readonly string[] {
  const close = text.lastIndexOf(')');
  return splitArguments(text.slice(text.indexOf('(') + 1, close === -1 ? text.length : close));
}

/** Returns the names that `namespace(found=false)` and `{'a': 1}` give to the attributes of a variable. */
export function attributesOf({ text }: TemplateSymbol): readonly string[] {
  const inner = /^(?:namespace|dict)\s*\(([\s\S]*)\)$/.exec(text)?.[1];
  if (inner !== undefined) return splitArguments(inner).flatMap((each) => /^([A-Za-z_]\w*)\s*=/.exec(each)?.[1] ?? []);
  const mapping = /^\{([\s\S]*)\}$/.exec(text)?.[1];
  return splitArguments(mapping ?? '').flatMap((each) => /^["']([A-Za-z_]\w*)["']\s*:/.exec(each)?.[1] ?? []);
}

/** Splits arguments or parameters, without the spaces around them. */
export function splitArguments(list: string): readonly string[] {
  return (splitAtCommas(list) ?? [list]).map((piece) => piece.trim()).filter((piece) => piece !== '');
}
