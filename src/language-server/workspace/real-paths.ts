import { baseName, dirName, isInside } from '#base/path.ts';
import type { LanguageHost } from '#language-server/host.ts';
import type { ModelRoot } from './model-root.ts';

/**
 * Finds the path by which a model knows a file that is named in another way: through a symbolic link, or in another letter case or
 * Unicode form than the disk has. Files that are at one place in two ways inside of a model are two for the engine, and stay two.
 */
export class RealPaths {
  readonly #host: Pick<LanguageHost, 'realUri'>;
  readonly #roots: () => readonly ModelRoot[];
  /** What lies behind links in the models, by its place on the disk. */
  #linked: ReadonlyMap<string, string> | undefined;

  constructor(host: Pick<LanguageHost, 'realUri'>, roots: () => readonly ModelRoot[]) {
    this.#host = host;
    this.#roots = roots;
  }

  /** Returns the URI that a model has for a file or folder; the given one if no model has another. */
  placed(uri: string): string {
    const real = this.real(uri);
    if (real === undefined) return uri;
    const around = innermost(this.#roots(), (root) => isInside(uri, root.uri));
    if (around) {
      const own = this.#inRoot(around, real);
      return own !== undefined && folded(own) === folded(uri) ? own : uri;
    }
    const root = innermost(this.#roots(), (each) => this.#inRoot(each, real) !== undefined);
    return (root && this.#inRoot(root, real)) ?? this.#behindLink(real) ?? uri;
  }

  /** Returns the place of a file or folder on the disk, also where it does not exist yet or any more. */
  real(uri: string): string | undefined {
    const real = this.#host.realUri?.(uri);
    if (real !== undefined || !this.#host.realUri) return real;
    const parent = dirName(uri);
    const above = /[^/]\/[^/]/.test(parent) ? this.real(parent) : undefined;
    return above === undefined ? undefined : `${above}/${baseName(uri)}`;
  }

  /** Checks whether the folder of a file lies behind a link to another place of the models, where its files are read already. */
  isReadElsewhere(uri: string, { uri: root }: ModelRoot): boolean {
    const [folder, top] = [this.real(dirName(uri)), this.real(root)];
    if (folder === undefined || top === undefined || folder === top + dirName(uri).slice(root.length)) return false;
    return this.#roots().some((each) => this.#inRoot(each, folder) !== undefined);
  }

  /**
   * Returns folders without those that are another one of them behind a link: linked to a deployment counts more than found, and a
   * folder more than a link to it.
   */
  distinct(uris: readonly string[], isFound: (uri: string) => boolean): readonly string[] {
    const all = [...new Set(uris)].map((uri) => ({ uri, real: this.real(uri) ?? uri, isFound: isFound(uri) }));
    const rank = ({ uri, real, isFound: found }: (typeof all)[number]): number =>
      (found ? 2 : 0) + (real === uri ? 0 : 1);
    const best = new Map<string, string>();
    for (const each of all.toSorted((a, b) => rank(a) - rank(b)))
      if (!best.has(each.real)) best.set(each.real, each.uri);
    return all.filter((each) => !each.isFound || best.get(each.real) === each.uri).map(({ uri }) => uri);
  }

  /** Returns the names that a model may still have for a file that is named `given` and placed at `uri`, but that the disk has not. */
  formerNames(given: string, uri: string, root: ModelRoot | undefined): readonly string[] {
    const names = uri === given ? [] : [given];
    if (root && !root.isStandalone && !root.index.file(uri)) {
      const lower = uri.toLowerCase();
      for (const { path } of root.index.files())
        if (path.length === uri.length && path !== uri && path.toLowerCase() === lower) names.push(path);
    }
    return names.filter((name) => this.placed(name) !== name);
  }

  /** Lets links be searched for again, after models were read. */
  forget(): void {
    this.#linked = undefined;
  }

  #inRoot({ uri }: ModelRoot, real: string): string | undefined {
    const top = this.real(uri);
    return top !== undefined && isInside(real, top) ? uri + real.slice(top.length) : undefined;
  }

  #behindLink(real: string): string | undefined {
    this.#linked ??= this.#findLinks();
    for (let at = real; /[^/]\/[^/]/.test(at); at = dirName(at)) {
      const known = this.#linked.get(at);
      if (known !== undefined) return known + real.slice(at.length);
    }
    return undefined;
  }

  #findLinks(): ReadonlyMap<string, string> {
    const links = new Map<string, string>();
    for (const root of this.#roots()) {
      const top = this.real(root.uri);
      for (const { path } of root.index.files()) {
        const real = this.#host.realUri?.(path);
        if (top === undefined || real === undefined || real === top + path.slice(root.uri.length)) continue;
        links.set(real, path);
        // A folder behind a link can get further files; one with a linked file cannot.
        const folder = this.real(dirName(path));
        if (folder === dirName(real) && folder !== top + dirName(path).slice(root.uri.length))
          links.set(folder, dirName(path));
      }
    }
    return links;
  }
}

function innermost(roots: readonly ModelRoot[], isAround: (root: ModelRoot) => boolean): ModelRoot | undefined {
  return roots.filter(isAround).sort((a, b) => b.uri.length - a.uri.length)[0];
}

/** Returns a URI in a form that is the same for names that a disk without letter case takes for one. */
function folded(uri: string): string {
  let path = uri;
  try {
    path = decodeURIComponent(uri);
  } catch {
    // It has a percent sign that escapes nothing.
  }
  return path.normalize('NFC').toLowerCase();
}
