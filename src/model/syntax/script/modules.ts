import type { Program } from 'acorn';
import { importsOf, pathOfImport } from './imports.ts';
import { factsOf, type ScriptFacts } from './facts.ts';
import { readModule } from './read.ts';
import type { Range, Value } from './value.ts';

/** Another file of the model, by the path with which scripts import it. */
export interface ModuleText {
  readonly path: string;
  readonly text: string;
}

/** A file that a script imports. Its code lies behind that of the script, so that every offset belongs to one file. */
export interface ScriptModule extends Range {
  readonly path: string;
  readonly program: Program;
  readonly facts: ScriptFacts;
  /** The paths of the files that it imports. */
  readonly imports: readonly string[];
}

/** A script with the files that it imports. */
export interface LinkedScript {
  /** The texts of all files, one behind the other. */
  readonly text: string;
  readonly modules: readonly ScriptModule[];
}

/** Reads the files that a script imports. Those that cannot be parsed are left out. */
export function linkScript(text: string, files: readonly ModuleText[]): LinkedScript {
  let linked = text;
  const modules: ScriptModule[] = [];
  for (const { path, text: own } of files) {
    const start = linked.length + 1;
    const whole = `${linked}\n${own}`;
    const program = readModule(whole, start);
    if (!program) continue;
    linked = whole;
    const imports = importsOf(program).map((each) => each.path);
    modules.push({ path, program, facts: factsOf(program), imports, start, end: whole.length });
  }
  return { text: linked, modules };
}

/** What the files that a script imports export. Each file runs once. */
export class ModuleExports {
  readonly #modules: ReadonlyMap<string, ScriptModule>;
  readonly #exports = new Map<string, Value>();
  readonly #run: (module: ScriptModule, update: (exports: Value) => void) => void;

  /** `run` runs a file, and reports what it exports whenever that is another value. */
  constructor(modules: readonly ScriptModule[], run: (module: ScriptModule, update: (exports: Value) => void) => void) {
    this.#modules = new Map(modules.map((module) => [module.path, module]));
    this.#run = run;
  }

  /** Returns what `require` yields for a path; undefined if that file is not known. */
  required(path: string): Value | undefined {
    const name = pathOfImport(path);
    const module = name === undefined ? undefined : this.#modules.get(name);
    if (!module || name === undefined) return undefined;
    // A file that is still running has exported only what is known so far.
    if (!this.#exports.has(name)) this.#run(module, (exports) => this.#exports.set(name, exports));
    return this.#exports.get(name);
  }
}
