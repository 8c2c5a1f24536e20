/** Packages that a text may install or run without a lock file, and their publishers. */
export const published: Readonly<Record<string, string>> = {
  '@dagrejs/dagre': 'a peer of benchmarks',
  '@tanstack/virtual-core': 'a peer of benchmarks',
  react: 'a peer of benchmarks',
  'react-dom': 'a peer of benchmarks',
  'remark-gfm': 'a peer of benchmarks',
  ovsx: 'Open VSX, by the Eclipse Foundation',
};

const RUNNERS =
  /(?<![\w-])(?:(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|exec|x|dlx|create|init|global\s+add)|npx|bunx)(?=\s+\S)([^\n`'"|;&)>]*)/g;
/** Calls with a list of arguments: `run('npm', ['install', …])`. */
const CALLS = /['"](?:npm|pnpm|yarn|bun|npx|bunx)['"],\s*\[([^\]]*)\]/g;
/** `npx` that downloads nothing. */
const LOCAL = /(?:^|\s)--(?:no|no-install|offline)(?=\s)/;

/**
 * Returns names that a text asks readers to install or run from a registry, and that are neither locked nor known to have an
 * owner. Whoever registers such a name could run code on the readers' machines.
 */
export function unownedNames(text: string): readonly string[] {
  const written = [...text.matchAll(RUNNERS)].flatMap(([command, words = '']) =>
    command.startsWith('npx') && LOCAL.test(words)
      ? []
      : namesIn(words.split(/\s+/).slice(0, command.includes('x') ? 3 : undefined)),
  );
  const called = [...text.matchAll(CALLS)].flatMap(([, list = '']) => {
    const [verb, ...words] = [...list.matchAll(/['"`]([^'"`]*)['"`]|([\w.]+)/g)].map(
      ([, quoted, variable]) => quoted ?? `$${variable ?? ''}`,
    );
    return /^(?:install|i|add|exec|x|dlx)$/.test(verb ?? '') ? namesIn(words) : [];
  });
  return [...written, ...called].filter((name) => !Object.hasOwn(published, name));
}

/** Returns the package names among the arguments of a command: no options, paths, archives or placeholders. */
function namesIn(words: readonly string[]): readonly string[] {
  return words
    .map((word) => word.replace(/[.,:]+$/, ''))
    .filter(
      (word) => /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*(?:@[\w.^~*-]+)?$/.test(word) && !/\.(?:tgz|vsix)$/.test(word),
    )
    .map((word) => word.replace(/(?!^)@.*$/, ''));
}
