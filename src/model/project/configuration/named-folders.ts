import { type Environment, UNKNOWN, valuesAt } from './evaluate.ts';
import { type ConfigurationLanguage, type Token, tokensOf } from './tokens.ts';

/** The number of characters of a configuration that are read. */
const MOST_READ = 200_000;

/**
 * Returns the model folders that a `cube.js` or `cube.py` can name, as they are written, with `UNKNOWN` where a program computes a
 * section of them: `schemaPath: process.env.MODELS || 'semantic'`, `schema_path = os.path.join('bi', 'model')`, or the folders of
 * its `FileRepository`. The text is read and never run: without a known beginning, a name is left out. See
 * docs/model-language.md#where-models-are.
 */
export function namedModelFolders(path: string, text: string, environment: Environment): readonly string[] {
  const language: ConfigurationLanguage = path.endsWith('.py') ? 'python' : 'javascript';
  const tokens = tokensOf(text.slice(0, MOST_READ), language);
  const names = tokens.flatMap((token, at) =>
    namesFolder(token, tokens[at + 1], tokens[at + 2]) ? valuesAt(tokens, at + 2, { language, environment }) : [],
  );
  return [...new Set(names)].filter((name) => name !== '' && !name.startsWith(UNKNOWN));
}

/** Checks whether a value behind a token is a model folder: of an option, or as the argument of a file repository. */
function namesFolder(token: Token, next: Token | undefined, value: Token | undefined): boolean {
  if (next?.kind !== 'sign' || value === undefined) return false;
  const word = wordOf(token);
  if (next.value === '(') return word === 'FileRepository' || word === 'file_repository';
  return (word === 'schemaPath' || word === 'schema_path') && (next.value === ':' || next.value === '=');
}

/** Returns a name, also one in quotes, as keys can be. */
function wordOf(token: Token): string | undefined {
  if (token.kind === 'name') return token.value;
  const [section, ...others] = token.kind === 'text' ? token.sections : [];
  return section !== undefined && 'text' in section && others.length === 0 ? section.text : undefined;
}
