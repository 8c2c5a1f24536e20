import { baseName, dirName } from '#base/path.ts';
/** Rules in `.gitignore` syntax, last match wins. */
export interface IgnoreRules {
  readonly lines: readonly string[];
  /** Whether the path, or a folder that it lies in, is left out. */
  readonly ignores: (path: string, isFolder: boolean) => boolean;
  /** The same for a walk that has come down to the path, so that nothing above it is left out. */
  readonly ignoresHere: (path: string, isFolder: boolean) => boolean;
}

interface Rule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Without a slash in it: it is about the last segment only. */
  readonly nameOnly: boolean;
  /** Source of the expression that the path, or its last segment, must match as a whole. */
  readonly source: string;
}

type CompiledRule = Rule & { readonly pattern: RegExp };

/** Left out always, whatever the other rules say: tools' folders, secrets, editors' and our own temporary files. */
const ALWAYS = ['.*', 'node_modules', '*.code-workspace', '*~', '*.swp', '*.swo', '*.tmp', 'Thumbs.db', 'desktop.ini'];

let always: readonly CompiledRule[] | undefined;

/**
 * Compiles ignore rules (`.modelbenchignore`, `.gitignore`, settings). The built-in ones come on top and cannot be undone.
 * Patterns without a slash match at any depth; with one they start at the folder that holds the rules.
 */
export function compileIgnore(lines: readonly string[]): IgnoreRules {
  const rules = compileRules(lines);
  always ??= compileRules(ALWAYS);
  const builtIn = always;
  const folders = new Map<string, boolean>();

  const matches = (path: string, isFolder: boolean): boolean =>
    (mayBeBuiltIn(path) && decide(builtIn, path, isFolder)) || decide(rules, path, isFolder);
  const folderIgnored = (folder: string): boolean => {
    if (folder === '') return false;
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const answer = folderIgnored(dirName(folder)) || matches(folder, true);
    folders.set(folder, answer);
    return answer;
  };
  return {
    lines,
    ignores: (path, isFolder) => folderIgnored(dirName(path)) || matches(path, isFolder),
    ignoresHere: matches,
  };
}

/** Last letters of what is always left out (`.yml` is told apart by one look, of a hundred thousand names). */
const LAST_LETTERS = new Set(ALWAYS.map((pattern) => pattern.at(-1)));

function mayBeBuiltIn(path: string): boolean {
  const name = path.lastIndexOf('/') + 1;
  return path[name] === '.' || LAST_LETTERS.has(path.at(-1));
}

function decide(rules: readonly CompiledRule[], path: string, isFolder: boolean): boolean {
  if (rules.length === 0) return false;
  const name = baseName(path);
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at];
    if (rule && (isFolder || !rule.foldersOnly) && rule.pattern.test(rule.nameOnly ? name : path)) return !rule.negated;
  }
  return false;
}

/** Neighbours that say the same of the same part of a path become one expression: a scan asks once for each file. */
function compileRules(lines: readonly string[]): readonly CompiledRule[] {
  const merged: Rule[] = [];
  for (const rule of lines.map(readRule)) {
    if (!rule) continue;
    const last = merged.at(-1);
    const { negated, foldersOnly, nameOnly } = rule;
    if (last?.negated === negated && last.foldersOnly === foldersOnly && last.nameOnly === nameOnly) {
      merged[merged.length - 1] = { ...rule, source: `${last.source}|${rule.source}` };
    } else merged.push(rule);
  }
  return merged.map((rule) => ({ ...rule, pattern: expression(rule.source) }));
}

function expression(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'u');
}

function readRule(line: string): Rule | undefined {
  let text = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const negated = text.startsWith('!');
  if (negated) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  text = text.replace(/\/+$/, '');
  const anchored = text.includes('/');
  text = text.replace(/^\//, '');
  if (text === '') return undefined;
  try {
    const source = translate(text);
    expression(source);
    return { negated, foldersOnly, nameOnly: !anchored, source };
  } catch {
    // A broken pattern (an open bracket with a bad range) matches nothing, as Git has it.
    return undefined;
  }
}

const TOKEN = /(?<=^|\/)\*\*\/|(?<=^|\/)\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|\\[^]|[^]/g;

/** A glob as the source of a regular expression: `*` and `?` stay inside a segment, `**` crosses them. */
function translate(glob: string): string {
  return glob.replaceAll(TOKEN, (token, at: number) => {
    if (token === '**/') return '(?:[^/]+/)*';
    if (token === '**' && (at === 0 || glob[at - 1] === '/')) return '.+';
    if (token.startsWith('*')) return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.startsWith('[') && token.length > 1) return bracket(token.slice(1, -1));
    return escape(token.startsWith('\\') && token.length > 1 ? token.slice(1) : token);
  });
}

function bracket(inner: string): string {
  const negated = /^[!^]/.test(inner);
  const body = (negated ? inner.slice(1) : inner).replaceAll(/[\\\]^[]/g, String.raw`\$&`);
  return negated ? `[^/${body}]` : `[${body}]`;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
