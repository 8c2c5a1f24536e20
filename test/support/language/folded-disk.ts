import type { LanguageHost } from '#language-server/host.ts';

/** A disk that takes names in another letter case or Unicode form for the same, as those of Windows and macOS do. */
export class FoldedDisk {
  readonly #files = new Map<string, { uri: string; text: string }>();

  write(uri: string, text: string): void {
    const before = this.#files.get(folded(uri));
    this.#files.set(folded(uri), { uri: before?.uri ?? uri, text });
  }

  /** Gives a file a name that differs from its own in letter case only. */
  respell(uri: string): void {
    const file = this.#files.get(folded(uri));
    if (file) file.uri = uri;
  }

  get host(): Pick<LanguageHost, 'listFiles' | 'readFile' | 'realUri'> {
    const inside = (root: string) =>
      [...this.#files.values()].filter(({ uri }) => folded(uri).startsWith(folded(`${root}/`)));
    return {
      listFiles: (root) => Promise.resolve(inside(root).map(({ uri }) => root + uri.slice(root.length))),
      readFile: (uri) => Promise.resolve(this.#files.get(folded(uri))?.text),
      realUri: (uri) => this.#files.get(folded(uri))?.uri ?? inside(uri)[0]?.uri.slice(0, uri.length),
    };
  }
}

function folded(uri: string): string {
  return decodeURIComponent(uri).normalize('NFC').toLowerCase();
}
