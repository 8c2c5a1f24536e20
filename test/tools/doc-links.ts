import { posix } from 'node:path';

/** Files of the repository: path from its root → text; `undefined` if only their existence matters. */
export type Tree = ReadonlyMap<string, string | undefined>;

/** A link whose target does not exist. */
export interface BrokenLink {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly link: string;
  readonly why: string;
}

/** Returns every broken relative link of a Markdown page, and every broken reference to a page below `docs/` in a source file. */
export function brokenLinks(tree: Tree): readonly BrokenLink[] {
  const folders = foldersOf(tree);
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (path: string): ReadonlySet<string> => {
    const known = anchors.get(path) ?? anchorsIn(tree.get(path) ?? '');
    anchors.set(path, known);
    return known;
  };
  return [...tree].flatMap(([file, text]) =>
    linksIn(file, text ?? '').flatMap(({ line, link, path, anchor }) => {
      const target = path === '' ? file : posix.normalize(posix.join(isPage(file) ? posix.dirname(file) : '.', path));
      const why = whyBroken({ target, anchor, exists: tree.has(target) || folders.has(strip(target)), anchorsOf });
      return why === undefined ? [] : [{ file, line, link, why }];
    }),
  );
}

interface Target {
  readonly target: string;
  readonly anchor: string | undefined;
  readonly exists: boolean;
  readonly anchorsOf: (path: string) => ReadonlySet<string>;
}

function whyBroken({ target, anchor, exists, anchorsOf }: Target): string | undefined {
  if (target.startsWith('..')) return 'leads out of the repository';
  if (!exists) return 'there is no such file';
  if (anchor === undefined) return undefined;
  if (!isPage(target)) return 'only a Markdown page has anchors';
  return anchorsOf(target).has(anchor) ? undefined : 'the page has no such heading';
}

interface Link {
  readonly line: number;
  readonly link: string;
  /** Empty for the page itself. */
  readonly path: string;
  readonly anchor: string | undefined;
}

const PAGE_LINK = /\]\(\s*<?([^)>\s]+)>?(?:\s+"[^"]*")?\s*\)/g;
const MENTION = /(?<![\w/.-])(docs\/[\w./-]*\.md(?:#[\w-]+)?)/g;

function linksIn(file: string, text: string): readonly Link[] {
  const lines = isPage(file) ? withoutCode(text).split('\n') : text.split('\n').map((line) => commentIn(line));
  return lines.flatMap((content, at) =>
    [...content.matchAll(isPage(file) ? PAGE_LINK : MENTION)].flatMap(([, link = '']) => {
      // A URL with a scheme (https, mailto, command) is not a file.
      if (/^[a-z][\w+.-]*:/i.test(link)) return [];
      const [path = '', anchor] = link.split('#', 2);
      return { line: at + 1, link, path: decodeURIComponent(path), anchor };
    }),
  );
}

/** Returns the comment in a line of a source file; a line that begins with `*` or `#` is one. */
function commentIn(line: string): string {
  return /^\s*(?:\*|\/\*|#)|(?<!:)\/\//.test(line) ? line : '';
}

/** Removes code, which contains no links; line breaks stay, so that line numbers remain valid. */
function withoutCode(text: string): string {
  const blank = (code: string): string => code.replaceAll(/[^\n]/g, ' ');
  return text.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, blank).replaceAll(/`[^`\n]*`/g, blank);
}

/** Returns the anchors of a page as GitHub generates them: one for each heading, and every explicit `<a id="…">`. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const page = text.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, '');
  for (const [, id = ''] of page.matchAll(/<a id="([^"]+)">/g)) found.add(id);
  for (const [, heading = ''] of page.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = slugOf(heading);
    let name = slug;
    for (let count = 1; found.has(name); count++) name = `${slug}-${count}`;
    found.add(name);
  }
  return found;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function foldersOf(tree: Tree): ReadonlySet<string> {
  const folders = new Set(['.']);
  for (const path of tree.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  }
  return folders;
}

function strip(path: string): string {
  return path.replace(/\/$/, '');
}

function isPage(path: string): boolean {
  return path.endsWith('.md');
}
