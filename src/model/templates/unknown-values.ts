import { append } from '#base/long-lists.ts';
import type { JinjaSpan } from '#model/syntax/jinja/span.ts';
import {
  type Call,
  callIn,
  isBuiltIn,
  isOfPlatform,
  variablesIn,
  splitAtCommas,
  usesUnknownFilter,
  withoutTexts,
} from './expressions.ts';

/** A template to be rendered: a file with its spans. */
export interface Template {
  readonly path: string;
  readonly text: string;
  readonly jinja: readonly JinjaSpan[];
}

interface Macro {
  readonly params: readonly string[];
  /** Parameters to which some call passes an unknown value. */
  readonly unknown: Set<string>;
  /** Whether its result depends on an unknown value. */
  isUnknown: boolean;
}

/** The values of one template that only the platform knows, by name. */
export class UnknownValues {
  readonly #names = new Set<string>();
  readonly #declared = new Set<string>();
  readonly #macros: Macros;
  readonly #mayBePython: boolean;

  constructor(macros: Macros, declared: Iterable<string>, mayBePython: boolean) {
    this.#macros = macros;
    this.#mayBePython = mayBePython;
    for (const name of declared) this.#declared.add(name);
  }

  get size(): number {
    return this.#names.size;
  }

  add(names: Iterable<string>): void {
    for (const name of names) this.#names.add(name);
  }

  /** Checks whether a name refers to an unknown value; `macro` is the one whose body contains it. */
  has(name: string, macro: string | undefined): boolean {
    const own = macro === undefined ? undefined : this.#macros.get(macro);
    if (own?.params.includes(name) === true) return own.unknown.has(name);
    if (this.#names.has(name)) return true;
    // Without Python, a name of another template is known to the engine, and one that nothing defines is undefined.
    return !this.#declared.has(name) && (this.#mayBePython ? !isBuiltIn(name) : isOfPlatform(name));
  }

  /**
   * Checks whether an expression is a name that nothing can define, because there is no Python: the engine renders it as empty.
   */
  isMissing(expression: string, macro: string | undefined): boolean {
    const name = expression.trim();
    if (this.#mayBePython || !/^[a-z_]\w*$/i.test(name) || name === 'COMPILE_CONTEXT') return false;
    const isParameter = macro !== undefined && this.#macros.get(macro)?.params.includes(name) === true;
    return !isParameter && !this.#names.has(name) && !this.#declared.has(name) && !isBuiltIn(name);
  }

  /** Checks whether the value of an expression is unknown. */
  holds(expression: string, macro: string | undefined): boolean {
    if (usesUnknownFilter(expression)) return true;
    return (
      variablesIn(expression).some((name) => this.has(name, macro)) ||
      this.#macros.calledIn(expression).some(({ isUnknown }) => isUnknown)
    );
  }

  /** Returns the call of a model's macro that an expression consists of: only its unknown arguments are replaced. */
  macroCall(expression: string, macro: string | undefined): Call | undefined {
    const call = callIn(expression);
    if (!call || !this.#macros.get(lastName(call.callee)) || this.has(call.callee.split('.')[0] ?? '', macro))
      return undefined;
    return call;
  }
}

/** The macros of all templates of a model, by name; macros of the same name share their unknown values. */
export class Macros {
  readonly #all = new Map<string, Macro>();

  get(name: string): Macro | undefined {
    return this.#all.get(name);
  }

  define(name: string, params: readonly string[]): void {
    const known = this.#all.get(name);
    const merged = [...new Set([...(known?.params ?? []), ...params])];
    this.#all.set(name, { params: merged, unknown: known?.unknown ?? new Set(), isUnknown: known?.isUnknown ?? false });
  }

  calledIn(expression: string): readonly Macro[] {
    const names = [...withoutTexts(expression).matchAll(/(?<!\w)([a-z_]\w*)\s*\(/gi)].map(([, name = '']) => name);
    return names.flatMap((name) => this.#all.get(name) ?? []);
  }

  /** The number of known unknowns, which only grows. */
  get size(): number {
    return [...this.#all.values()].reduce((sum, { unknown, isUnknown }) => sum + unknown.size + Number(isUnknown), 0);
  }
}

/**
 * Determines which values of a model's templates only the platform knows: names that neither the templates nor the template
 * engine define (Python, the environment, the compile context), and everything that is computed from them. Names are not
 * distinguished by scope, except for parameters, so too many may be classified as unknown. `mayBePython`: whether a `globals.py`
 * may define names.
 */
export function unknownValues<T extends Template>(
  templates: readonly T[],
  mayBePython = true,
): ReadonlyMap<T, UnknownValues> {
  const macros = new Macros();
  for (const template of templates)
    for (const { inner } of statements(template, 'macro')) {
      const { name, params } = signatureOf(inner);
      macros.define(name, params);
    }
  const values = new Map(
    templates.map((template) => [template, new UnknownValues(macros, declaredIn(template), mayBePython)]),
  );
  const size = (): number => [...values.values()].reduce((sum, each) => sum + each.size, macros.size);
  let before;
  do {
    before = size();
    for (const [template, unknown] of values) spread(template, unknown, macros);
  } while (size() !== before);
  return values;
}

/** Runs one round: marks everything that is computed from unknown values as unknown. */
function spread(template: Template, unknown: UnknownValues, macros: Macros): void {
  const round = new Round(unknown, macros);
  for (const span of template.jinja) if (span.kind !== 'comment') round.span(span, innerOf(span, template.text));
}

/** An open block, the names assigned in it, and whether it may be rendered any number of times. */
interface Block {
  readonly macro?: string;
  isUnsure: boolean;
  readonly sets: string[];
}

class Round {
  readonly #unknown: UnknownValues;
  readonly #macros: Macros;
  readonly #open: Block[] = [];

  constructor(unknown: UnknownValues, macros: Macros) {
    this.#unknown = unknown;
    this.#macros = macros;
  }

  span({ kind, word }: JinjaSpan, inner: string): void {
    if (word.startsWith('end')) {
      this.#close();
      return;
    }
    const macro = this.#macro;
    const rest = kind === 'expression' ? inner : inner.replace(/^\s*\w+/, '');
    const returns = macro === undefined ? undefined : this.#macros.get(macro);
    if (word !== 'macro') passArguments(rest, this.#unknown, this.#macros, macro);
    spreadChanged(rest, this.#unknown, macro);
    if (returns && (kind === 'expression' || CONDITIONS.has(word)) && this.#unknown.holds(rest, macro))
      returns.isUnknown = true;
    if (kind === 'statement') this.#statement(word, rest);
  }

  get #macro(): string | undefined {
    return this.#open.findLast(({ macro }) => macro !== undefined)?.macro;
  }

  get #isUnsure(): boolean {
    return this.#open.some(({ isUnsure }) => isUnsure);
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed?.isUnsure === true) this.#unknown.add(closed.sets);
    const outer = this.#open.at(-1);
    if (outer && closed) append(outer.sets, closed.sets);
  }

  #push(isUnsure = false, macro?: string): void {
    this.#open.push({ isUnsure, sets: [], ...(macro === undefined ? {} : { macro }) });
  }

  #statement(word: string, rest: string): void {
    if (word === 'if') this.#push(this.#unknown.holds(rest, this.#macro));
    else if (word === 'elif') this.#branch(rest);
    else if (word === 'for') this.#loop(rest);
    else if (word === 'macro') this.#define(rest);
    else if (word === 'set') this.#assign(rest);
    else if (word === 'with') this.#with(rest);
    else if (OPENING.has(word)) this.#push();
  }

  #branch(rest: string): void {
    const last = this.#open.at(-1);
    if (last && this.#unknown.holds(rest, this.#macro)) last.isUnsure = true;
  }

  #loop(rest: string): void {
    const [targets, source] = loopOf(rest);
    const isUnsure = this.#unknown.holds(source, this.#macro);
    if (isUnsure) this.#unknown.add([...targets, 'loop']);
    this.#push(isUnsure);
  }

  #define(rest: string): void {
    const { name } = signatureOf(`macro${rest}`);
    if (this.#isUnsure) this.#unknown.add([name]);
    this.#push(false, name);
  }

  #assign(rest: string): void {
    const { targets, value } = assignmentOf(rest);
    const outer = this.#open.at(-1);
    if (this.#isUnsure || (value !== undefined && this.#unknown.holds(value, this.#macro))) this.#unknown.add(targets);
    else if (outer) append(outer.sets, targets);
    if (value === undefined) this.#push();
  }

  #with(rest: string): void {
    const pairs = (splitAtCommas(rest) ?? [rest]).map(assignmentOf);
    if (pairs.some(({ value }) => this.#unknown.holds(value ?? '', this.#macro)))
      this.#unknown.add(pairs.flatMap(({ targets }) => targets));
    this.#push();
  }
}

const OPENING = new Set(['call', 'filter', 'block', 'autoescape', 'raw']);
const CONDITIONS = new Set(['if', 'elif', 'for', 'set', 'with', 'include', 'call']);

/** Passes the arguments of every call of a macro to its parameters. */
function passArguments(expression: string, unknown: UnknownValues, macros: Macros, macro: string | undefined): void {
  for (const match of withoutTexts(expression).matchAll(/(?<!\w)([a-z_]\w*)\s*\(/gi)) {
    const called = macros.get(match[1] ?? '');
    if (!called) continue;
    const args = argumentsAt(expression, match.index + match[0].length);
    if (!args || args.some((arg) => /^\s*\*/.test(arg))) {
      for (const param of called.params) called.unknown.add(param);
      continue;
    }
    for (const [at, arg] of args.entries()) {
      const [, key] = /^\s*([a-z_]\w*)\s*=(?!=)/i.exec(arg) ?? [];
      const param = key ?? called.params[at];
      if (param !== undefined && unknown.holds(key === undefined ? arg : arg.slice(arg.indexOf('=') + 1), macro))
        called.unknown.add(param);
    }
  }
}

function argumentsAt(expression: string, start: number): readonly string[] | undefined {
  const bare = withoutTexts(expression);
  let depth = 1;
  for (let at = start; at < bare.length; at++) {
    if ('([{'.includes(bare.charAt(at))) depth++;
    else if (')]}'.includes(bare.charAt(at))) depth--;
    if (depth === 0) return splitAtCommas(expression.slice(start, at));
  }
  return undefined;
}

/** Marks a changed list as unknown: `list.append(unknown)`. */
function spreadChanged(expression: string, unknown: UnknownValues, macro: string | undefined): void {
  for (const [, name = ''] of withoutTexts(expression).matchAll(
    /(?<!\w)([a-z_]\w*)(?:\.\w+)*\.(?:append|extend|insert|update|setdefault|pop|remove)\s*\(/gi,
  ))
    if (unknown.holds(expression, macro)) unknown.add([name]);
}

/** Returns the text between the braces of a span, without the signs that remove white space. */
export function innerOf({ start, end }: JinjaSpan, text: string): string {
  return text
    .slice(start + 2, end - 2)
    .replace(/^[-+]/, ' ')
    .replace(/[-+]$/, ' ');
}

/** Returns the targets and the source of `x, y in source`. */
export function loopOf(rest: string): readonly [targets: readonly string[], source: string] {
  const [whole, targets = '', source = ''] = /^(.*?)\sin\s(.*)$/s.exec(rest) ?? [];
  return whole === undefined ? [[], rest] : [targets.match(/[a-z_]\w*/gi) ?? [], source];
}

/** Returns the targets and the value of `x = value`; without a value, of a block. */
export function assignmentOf(rest: string): {
  readonly targets: readonly string[];
  readonly value: string | undefined;
} {
  const at = withoutTexts(rest).search(/(?<![=!<>])=(?!=)/);
  const left = at === -1 ? rest.replace(/\|.*$/s, '') : rest.slice(0, at);
  const targets = [...left.matchAll(/(?<![.\w])[a-z_]\w*/gi)].map(([name]) => name);
  return { targets, value: at === -1 ? undefined : rest.slice(at + 1) };
}

function signatureOf(inner: string): { readonly name: string; readonly params: readonly string[] } {
  const [, name = '', list = ''] = /^\s*macro\s+([a-z_]\w*)\s*\((.*)\)\s*$/is.exec(inner) ?? [];
  const params = (splitAtCommas(list) ?? []).flatMap((param) => /[a-z_]\w*/i.exec(param)?.[0] ?? []);
  return { name, params };
}

function* statements({ jinja, text }: Template, word: string): Iterable<{ readonly inner: string }> {
  for (const span of jinja) if (span.kind === 'statement' && span.word === word) yield { inner: innerOf(span, text) };
}

/** Returns the names that a template assigns. */
function declaredIn(template: Template): ReadonlySet<string> {
  const names = new Set<string>(['loop']);
  const add = (all: Iterable<string>): void => {
    for (const name of all) names.add(name);
  };
  for (const span of template.jinja) {
    if (span.kind !== 'statement') continue;
    const rest = innerOf(span, template.text).replace(/^\s*\w+/, '');
    const { word } = span;
    if (word === 'for') add(loopOf(rest)[0]);
    else if (word === 'set') add(assignmentOf(rest).targets);
    else if (word === 'with') add((splitAtCommas(rest) ?? []).flatMap((pair) => assignmentOf(pair).targets));
    else if (word === 'macro') add([signatureOf(`macro${rest}`).name]);
    else if (word === 'import') add(/\bas\s+(\w+)/.exec(rest)?.slice(1) ?? []);
    else if (word === 'from') add(importedNames(rest));
  }
  return names;
}

function importedNames(rest: string): readonly string[] {
  const list = /\bimport\b(.*)$/s.exec(withoutTexts(rest))?.[1] ?? '';
  return (splitAtCommas(list) ?? []).flatMap((each) => /(?<!\w)([a-z_]\w*)\s*$/i.exec(each)?.[1] ?? []);
}

function lastName(callee: string): string {
  return callee.slice(callee.lastIndexOf('.') + 1);
}
