import { baseName, dirName, joinPath } from '#base/path.ts';
import { type FileRules, fixedIgnores } from './file-rules.ts';
import { type IgnorePattern, readPattern } from './ignore-pattern.ts';

/** The names of ignore files; Git's is read only when the settings say so. */
export type IgnoreFileName = '.modelbenchignore' | '.gitignore';

/** An ignore file in the linked folder or anywhere below it. */
export interface IgnoreFile {
  /** The platform's path of its folder; empty for the linked folder. */
  readonly folder: string;
  readonly name: IgnoreFileName;
  readonly text: string;
}

/** The rule that decides whether a path is ignored. */
export interface IgnoreMatch {
  readonly ignored: boolean;
  /** The path itself, or the folder above it that the rule matches. */
  readonly path: string;
  readonly source: 'builtIn' | 'settings' | 'file';
  /** Path of the ignore file; only for `file`. */
  readonly file: string | undefined;
  /** Counted from 1: the line in the file, or the position in the list of the settings. */
  readonly line: number;
  readonly pattern: string;
}

/** Rules in `.gitignore` syntax. */
export interface IgnoreRules {
  /** Whether the path, or a folder that contains it, is ignored. */
  readonly ignores: (path: string, isFolder: boolean) => boolean;
  /** Like `ignores`, for a walk that has reached the path, so that no folder above it is ignored. */
  readonly ignoresHere: (path: string, isFolder: boolean) => boolean;
  /** Returns the rule that ignores the path or, negated, includes it; `undefined` where no rule matches. */
  readonly explain: (path: string, isFolder: boolean) => IgnoreMatch | undefined;
  /** Adds an ignore file that a walk has reached. */
  readonly add: (file: IgnoreFile) => void;
}

/** The patterns of one source, which apply below one folder. */
interface Level {
  readonly source: IgnoreMatch['source'];
  readonly file: string | undefined;
  readonly folder: string;
  readonly patterns: readonly { readonly line: number; readonly pattern: IgnorePattern }[];
}

/** The built-in patterns. */
interface BuiltIn {
  readonly level: Level;
  /** The last letters of the patterns: one comparison rules out `.yml`, for a hundred thousand names. */
  readonly lastLetters: ReadonlySet<string | undefined>;
}

const builtIn: Readonly<Record<FileRules, BuiltIn>> = { sync: builtInFor('sync'), deploy: builtInFor('deploy') };

function builtInFor(rules: FileRules): BuiltIn {
  const patterns = fixedIgnores(rules);
  return {
    level: level('builtIn', undefined, '', patterns),
    lastLetters: new Set(patterns.map((pattern) => pattern.at(-1))),
  };
}

/**
 * Compiles ignore rules. As in Git, patterns without a slash match at any depth below the folder of their file, and
 * others start at that folder; files in deeper folders take precedence and, within a file, the last line that matches.
 * The settings take precedence over any `.modelbenchignore`, and those over any `.gitignore`. The built-in rules cannot
 * be negated, nor can a rule for a folder by one for its contents.
 *
 * @param settings lines that start at the linked folder
 */
export function compileIgnore(
  settings: readonly string[],
  files: readonly IgnoreFile[] = [],
  rules: FileRules = 'sync',
): IgnoreRules {
  const fixed = builtIn[rules];
  const own = level('settings', undefined, '', settings);
  const levels = { '.modelbenchignore': new Map<string, Level>(), '.gitignore': new Map<string, Level>() };
  const folders = new Map<string, boolean>();
  const add = ({ folder, name, text }: IgnoreFile): void => {
    const lines = text.replace(/^\uFEFF/, '').split('\n');
    levels[name].set(folder, level('file', joinPath(folder, name), folder, lines));
    folders.clear();
  };
  for (const file of files) add(file);

  const decide = (path: string, isFolder: boolean): IgnoreMatch | undefined =>
    ignoredBy(fixed, path, isFolder) ??
    decideBy(own, path, isFolder) ??
    decideByDepth(levels['.modelbenchignore'], path, isFolder) ??
    decideByDepth(levels['.gitignore'], path, isFolder);
  const matches = (path: string, isFolder: boolean): boolean => decide(path, isFolder)?.ignored === true;
  const folderIgnored = (folder: string): boolean => {
    if (folder === '') return false;
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const answer = folderIgnored(dirName(folder)) || matches(folder, true);
    folders.set(folder, answer);
    return answer;
  };
  const explain = (path: string, isFolder: boolean): IgnoreMatch | undefined => {
    const folder = dirName(path);
    if (folder !== '' && folderIgnored(folder)) return explain(folder, true);
    return decide(path, isFolder);
  };
  return {
    ignores: (path, isFolder) => folderIgnored(dirName(path)) || matches(path, isFolder),
    ignoresHere: matches,
    explain,
    add,
  };
}

/** Returns the built-in rule that ignores a path; what none ignores is for the user's rules to decide. */
function ignoredBy(fixed: BuiltIn, path: string, isFolder: boolean): IgnoreMatch | undefined {
  const name = path.lastIndexOf('/') + 1;
  if (path[name] !== '.' && !fixed.lastLetters.has(path.at(-1))) return undefined;
  const match = decideBy(fixed.level, path, isFolder);
  return match?.ignored === true ? match : undefined;
}

function level(source: Level['source'], file: string | undefined, folder: string, lines: readonly string[]): Level {
  const patterns = lines.flatMap((text, at) => {
    const pattern = readPattern(text);
    return pattern ? [{ line: at + 1, pattern }] : [];
  });
  return { source, file, folder, patterns };
}

/** Finds the deciding rule in the files of one kind, from the path's own folder upwards. */
function decideByDepth(levels: ReadonlyMap<string, Level>, path: string, isFolder: boolean): IgnoreMatch | undefined {
  if (levels.size === 0) return undefined;
  for (let folder = path; folder !== '';) {
    folder = dirName(folder);
    const found = levels.get(folder);
    const match = found && decideBy(found, path, isFolder);
    if (match) return match;
  }
  return undefined;
}

function decideBy({ source, file, folder, patterns }: Level, path: string, isFolder: boolean): IgnoreMatch | undefined {
  if (patterns.length === 0) return undefined;
  const name = baseName(path);
  const inside = folder === '' ? path : path.slice(folder.length + 1);
  for (let at = patterns.length - 1; at >= 0; at--) {
    const rule = patterns[at];
    if (!rule || (rule.pattern.foldersOnly && !isFolder)) continue;
    const { line, pattern } = rule;
    if (!pattern.matches(pattern.nameOnly ? name : inside)) continue;
    return { ignored: !pattern.negated, path, source, file, line, pattern: pattern.text.trimEnd() };
  }
  return undefined;
}
