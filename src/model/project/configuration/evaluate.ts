import { dirName, joinPath } from '#base/path.ts';
import { type ConfigurationLanguage, type Section, type Token, tokensOf } from './tokens.ts';

/** The values of environment variables, by name. */
export type Environment = ReadonlyMap<string, string>;

/** Stands for the characters of a text that only a running program knows. */
export const UNKNOWN = '\0';

/** Maximum number of values that one expression may have. */
const MOST_VALUES = 8;
/** Maximum number of expressions to evaluate for one value: names may refer to each other without end. */
const MOST_STEPS = 500;

/**
 * The values that an expression can have, as texts with {@link UNKNOWN} where they are computed; and its name, if it is one
 * (`process.env.HOME`).
 */
interface Operand {
  readonly values: readonly string[];
  readonly name?: string | undefined;
  /** Whether it is a method that returns the value it is called on. */
  readonly isSame?: boolean;
}

const UNKNOWN_OPERAND: Operand = { values: [UNKNOWN] };
const JOINS = new Set(['path.join', 'path.resolve', 'path.posix.join', 'os.path.join', 'join', 'resolve']);
const SAME = new Set(['str', 'String', 'Path', 'pathlib.Path', 'PurePath', 'path.normalize', 'os.path.abspath']);
/** Methods that return the value they are called on, as far as a path is concerned. */
const SAME_METHODS = new Set(['resolve', 'absolute', 'as_posix', 'toString', 'trim', 'strip', '__str__']);
/** Signs and words between two operands of a condition. */
const COMPARISONS = [
  '===',
  '!==',
  '==',
  '!=',
  '<=',
  '>=',
  '<',
  '>',
  '&',
  'in',
  'is',
  'not',
  'and',
  'instanceof',
] as const;
/** Words and signs before an operand that make something else of it. */
const PREFIXES = new Set(['!', '-', 'not', 'typeof', 'await', 'void']);
const FOLDERS_OF = new Set(['path.dirname', 'os.path.dirname', 'dirname']);
const ENVIRONMENT_CALLS = new Set(['os.environ.get', 'os.getenv', 'environ.get', 'getenv']);
/** Names and calls for the folder of the configuration, to which paths are relative. */
const OWN_FOLDER = new Set(['__dirname', 'import.meta.dirname', 'process.cwd', 'os.getcwd', 'Path.cwd']);
const OWN_FILE = new Set(['__filename', '__file__', 'import.meta.filename']);
const VARIABLE = /^(?:process\.env|os\.environ|environ|env)\.([\w$]+)$/;

/**
 * Returns the values that the expression at a token can have, by what its source shows: texts, constants, environment variables
 * with defaults, and paths that are joined. Nothing is run. See docs/model-language.md#where-models-are.
 */
export function valuesAt(
  tokens: readonly Token[],
  at: number,
  { language, environment }: { readonly language: ConfigurationLanguage; readonly environment: Environment },
): readonly string[] {
  return new Evaluation(tokens, language, environment, { left: MOST_STEPS }).valuesAt(at);
}

class Evaluation {
  readonly #tokens: readonly Token[];
  readonly #language: ConfigurationLanguage;
  readonly #environment: Environment;
  /** The number of expressions that may still be evaluated. */
  readonly #steps: { left: number };
  #at = 0;

  constructor(
    tokens: readonly Token[],
    language: ConfigurationLanguage,
    environment: Environment,
    steps: { left: number },
  ) {
    this.#tokens = tokens;
    this.#language = language;
    this.#environment = environment;
    this.#steps = steps;
  }

  valuesAt(at: number): readonly string[] {
    const before = this.#at;
    this.#at = at;
    const values = this.#choice();
    this.#at = before;
    return [...new Set(values)].slice(0, MOST_VALUES);
  }

  /** `a ? b : c` in JavaScript, `b if a else c` in Python: both values are possible. */
  #choice(): readonly string[] {
    if (--this.#steps.left < 0) return [UNKNOWN];
    const first = this.#condition();
    if (this.#language === 'javascript' && this.#skip('?')) {
      const yes = this.#choice();
      return this.#skip(':') ? [...yes, ...this.#choice()] : yes;
    }
    if (this.#language === 'python' && this.#skip('if')) {
      this.#condition();
      return this.#skip('else') ? [...first, ...this.#choice()] : first;
    }
    return first;
  }

  /** A condition, whose value is unknown, or a single operand. */
  #condition(): readonly string[] {
    let values = this.#alternatives();
    while (COMPARISONS.some((sign) => this.#skip(sign))) {
      while (COMPARISONS.some((sign) => this.#skip(sign))) values = [UNKNOWN];
      this.#alternatives();
      values = [UNKNOWN];
    }
    return values;
  }

  /** `a || b`: the second counts where the first is empty or unknown. */
  #alternatives(): readonly string[] {
    let values = this.#sum();
    while (this.#skip('||') || this.#skip('??') || this.#skip('or')) {
      const others = this.#sum();
      values = values.flatMap((value) => (value === '' ? others : hasUnknown(value) ? [...others, value] : value));
    }
    return values.slice(0, MOST_VALUES);
  }

  /** Texts that are joined: by `+`, or by `/` as paths of Python are. */
  #sum(): readonly string[] {
    let { values } = this.#operand();
    for (;;) {
      const isPath = this.#language === 'python' && this.#skip('/');
      if (!isPath && !this.#skip('+')) return values;
      values = combined([values, this.#operand().values], isPath ? '/' : '');
    }
  }

  #operand(): Operand {
    let operand = this.#primary();
    for (;;) {
      if (this.#skip('.') || this.#skip('?.')) operand = this.#property(operand, this.#name());
      else if (this.#skip('[')) operand = this.#property(operand, this.#index());
      else if (this.#skip('(')) operand = this.#call(operand, this.#arguments());
      else return operand.values.length > 0 ? operand : { ...operand, values: [UNKNOWN] };
    }
  }

  #primary(): Operand {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'text') return { values: this.#text(token.sections) };
    if (token !== undefined && PREFIXES.has(token.value)) {
      this.#operand();
      return UNKNOWN_OPERAND;
    }
    if (token?.kind === 'name' && token.value === 'new') return this.#primary();
    if (token?.kind === 'name') return { name: token.value, ...this.#valueOfName(token.value) };
    if (token?.value !== '(') return UNKNOWN_OPERAND;
    const values = this.#choice();
    this.#skip(')');
    return { values };
  }

  #text(sections: readonly Section[]): readonly string[] {
    const values = sections.map((section) => ('text' in section ? [section.text] : this.#inside(section.expression)));
    return combined(values, '');
  }

  /** The values of an expression in a text, whose names are those of the file. */
  #inside(source: string): readonly string[] {
    const own = tokensOf(source, this.#language);
    const end: Token = { kind: 'sign', value: ';' };
    return new Evaluation([...own, end, ...this.#tokens], this.#language, this.#environment, this.#steps).valuesAt(0);
  }

  #property(of: Operand, property: string): Operand {
    if (of.values.length > 0 && property === 'parent') return { values: of.values.map(folderOf) };
    if (of.values.length > 0 && SAME_METHODS.has(property)) return { values: of.values, isSame: true };
    if (of.name === undefined) return UNKNOWN_OPERAND;
    const name = `${of.name}.${property}`;
    return { name, ...this.#valueOfName(name) };
  }

  #call({ name, values, isSame }: Operand, given: readonly (readonly string[])[]): Operand {
    const [first = [], second] = given;
    if (isSame === true) return { values };
    if (name === undefined) return UNKNOWN_OPERAND;
    if (JOINS.has(name)) return { values: combined(given, '/').map((path) => joinPath(path)) };
    if (ENVIRONMENT_CALLS.has(name)) return { values: first.flatMap((key) => this.#variable(key, second)) };
    if (SAME.has(name)) return { values: first };
    if (FOLDERS_OF.has(name)) return { values: first.map(folderOf) };
    if (OWN_FOLDER.has(name)) return { values: [''] };
    return UNKNOWN_OPERAND;
  }

  /** The values of a name, or none if it is only the beginning of one. */
  #valueOfName(name: string): Operand {
    if (OWN_FOLDER.has(name)) return { values: [''], name };
    if (OWN_FILE.has(name)) return { values: ['cube'], name };
    const [, variable] = VARIABLE.exec(name) ?? [];
    if (variable !== undefined) return { values: this.#variable(variable, undefined) };
    return { values: this.#constant(name), name };
  }

  /** The values of a variable of the environment. One that no file sets has its default, or is empty. */
  #variable(name: string, fallback: readonly string[] | undefined): readonly string[] {
    const value = this.#environment.get(name);
    return value === undefined ? (fallback ?? ['']) : [value];
  }

  /** The values of a name that the file gives a value, or takes from the environment. */
  #constant(name: string): readonly string[] {
    const at = this.#tokens.findIndex(
      (token, index) =>
        token.kind === 'name' &&
        token.value === name &&
        isSign(this.#tokens[index + 1], '=') &&
        !isSign(this.#tokens[index - 1], '.'),
    );
    if (at !== -1 && this.#steps.left > 0) return this.valuesAt(at + 2);
    const own = this.#environment.get(name);
    return own === undefined ? [] : [own];
  }

  #arguments(): readonly (readonly string[])[] {
    const values: (readonly string[])[] = [];
    while (this.#at < this.#tokens.length && !this.#skip(')')) {
      values.push(this.#choice());
      if (!this.#skip(',') && !isSign(this.#tokens[this.#at], ')')) return values;
    }
    return values;
  }

  #name(): string {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token?.kind === 'name' ? token.value : UNKNOWN;
  }

  #index(): string {
    const [value = UNKNOWN] = this.#choice();
    this.#skip(']');
    return value;
  }

  #skip(value: string): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === 'text' || token.value !== value) return false;
    this.#at += 1;
    return true;
  }
}

/** Checks whether a value is known in part only. */
export function hasUnknown(value: string): boolean {
  return value.includes(UNKNOWN);
}

function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === 'sign' && token.value === value;
}

/** Joins each value of each operand with each of the next; a value that is missing is unknown. */
function combined(operands: readonly (readonly string[])[], between: string): readonly string[] {
  const known = operands.map((values) => (values.length > 0 ? values : [UNKNOWN]));
  return known.reduce<readonly string[]>(
    (before, values, index) =>
      index === 0
        ? values
        : before.flatMap((one) => values.map((other) => one + between + other)).slice(0, MOST_VALUES),
    [''],
  );
}

function folderOf(path: string): string {
  return hasUnknown(path) ? UNKNOWN : dirName(path);
}
