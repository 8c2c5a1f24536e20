import type { ModelFile } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import { readTemplateNames, type TemplateNames, type TemplateSymbol, type TemplateUse } from './read-template-names.ts';

/** A range of a file. */
export interface TemplateOccurrence {
  readonly file: ModelFile;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the symbol of the name at an offset of a file's templates, following imports; undefined if templates do not declare it.
 */
export function templateSymbolAt(
  file: ModelFile,
  offset: number,
  index: ModelIndex,
): (TemplateOccurrence & { readonly symbol: TemplateSymbol }) | undefined {
  const { symbols, uses } = namesIn(file);
  const holds = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    start <= offset && offset <= end;
  const own = symbols.find(holds);
  const use = own ? undefined : uses.find(holds);
  const symbol = own ?? (use && symbolOf(use, file, index));
  const occurrence = own ?? use;
  return (
    symbol && occurrence && { symbol: followed(symbol, index), file, start: occurrence.start, end: occurrence.end }
  );
}

/** Returns every occurrence of a symbol, its declaration first. */
export function templateOccurrences(symbol: TemplateSymbol, index: ModelIndex): readonly TemplateOccurrence[] {
  const found: TemplateOccurrence[] = [{ file: symbol.file, start: symbol.start, end: symbol.end }];
  // What is at the top of a template can be imported, and a call may name parameters.
  const files = symbol.kind === 'parameter' || isExported(symbol) ? [...index.files()] : [symbol.file];
  for (const file of files) {
    if (file.jinja.length === 0) continue;
    const { symbols, uses } = namesIn(file);
    for (const each of symbols) {
      const { source } = each;
      if (source?.name === undefined || followed(each, index) !== symbol) continue;
      const start = source.start ?? each.start;
      found.push({ file, start, end: start + source.name.length });
    }
    for (const use of uses)
      if (standsFor(use, symbol, file, index)) found.push({ file, start: use.start, end: use.end });
  }
  return found;
}

/** Checks whether a use names a symbol; an alias keeps its own name. */
function standsFor(use: TemplateUse, symbol: TemplateSymbol, file: ModelFile, index: ModelIndex): boolean {
  const meant = symbolOf(use, file, index);
  return meant !== undefined && meant.source?.isAlias !== true && followed(meant, index) === symbol;
}

/** Returns the names that are known at an offset, innermost first. */
export function templateSymbolsAt(file: ModelFile, offset: number): readonly TemplateSymbol[] {
  return namesIn(file)
    .symbols.filter(({ from, to }) => from <= offset && offset <= to)
    .toSorted((a, b) => b.from - a.from);
}

/** Returns the macros that a template defines. */
export function macrosOf(file: ModelFile): readonly TemplateSymbol[] {
  return namesIn(file).symbols.filter(({ kind }) => kind === 'macro');
}

/** Returns what other templates can import from one: its macros, and the variables that it sets outside of all blocks. */
export function exportsOf(file: ModelFile): readonly TemplateSymbol[] {
  return namesIn(file).symbols.filter(isExported);
}

function isExported({ kind, to, file }: TemplateSymbol): boolean {
  return kind === 'macro' || (kind === 'variable' && to === file.text.length);
}

/** Returns the template at a path relative to the model's folder. */
export function templateNamed(path: string, index: ModelIndex): ModelFile | undefined {
  const wanted = `/${path.replace(/^\.?\//, '')}`;
  for (const file of index.files()) if (`/${file.path}`.endsWith(wanted)) return file;
  return undefined;
}

function symbolOf(use: TemplateUse, file: ModelFile, index: ModelIndex): TemplateSymbol | undefined {
  if (use.symbol) return use.symbol;
  if (use.called) return parameterOf(symbolOf({ ...use.called, end: use.end }, file, index), use.name, index);
  const known = templateSymbolsAt(file, use.start);
  if (use.behind === undefined) return known.find(({ name }) => name === use.name);
  const imported = known.find(({ name, kind }) => kind === 'import' && name === use.behind);
  const target = imported?.source && templateNamed(imported.source.path, index);
  return target && exportsOf(target).find(({ name }) => name === use.name);
}

/** Returns a parameter of a macro. */
function parameterOf(
  called: TemplateSymbol | undefined,
  wanted: string,
  index: ModelIndex,
): TemplateSymbol | undefined {
  const macro = called && followed(called, index);
  if (macro?.kind !== 'macro') return undefined;
  const tag = macro.file.jinja.find(({ start, end }) => start <= macro.start && macro.start < end);
  return namesIn(macro.file).symbols.find(
    ({ kind, name, start }) =>
      kind === 'parameter' && name === wanted && macro.end <= start && start < (tag?.end ?? macro.end),
  );
}

function followed(symbol: TemplateSymbol, index: ModelIndex): TemplateSymbol {
  const { source } = symbol;
  const target = source?.name === undefined ? undefined : templateNamed(source.path, index);
  return (target && exportsOf(target).find(({ name }) => name === source?.name)) ?? symbol;
}

const known = new WeakMap<ModelFile, TemplateNames>();

function namesIn(file: ModelFile): TemplateNames {
  let names = known.get(file);
  if (!names) {
    names = readTemplateNames(file);
    known.set(file, names);
  }
  return names;
}
