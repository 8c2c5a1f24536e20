import type { Author } from './git.ts';

/** One commit of a history that is written in one go. */
export interface ImportCommit {
  readonly branch: string;
  /** The branch whose head this branch starts from; undefined: the branch's own head, where it has one. */
  readonly from?: string | undefined;
  /** Path → content; null deletes the file. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message: string;
  readonly author: Author;
}

/**
 * The input of `git fast-import` for a list of commits, so that a whole repository costs one command.
 * @param heads branches that exist already, which continue where they are
 */
export function importStream(commits: readonly ImportCommit[], heads: ReadonlyMap<string, string>): Buffer {
  const made = new Set<string>();
  const parts = commits.flatMap(({ branch, from, files, message, author }) => {
    // A branch of this stream is known by its name, one that was there before by its commit.
    const own = made.has(branch) || !heads.has(branch) ? undefined : `refs/heads/${branch}^0`;
    const start = from === undefined ? own : `refs/heads/${from}`;
    made.add(branch);
    const who = `${author.name} <${author.email}> ${Math.floor(author.date / 1000)} +0000`;
    return [
      Buffer.from(`commit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\n`),
      data(`${message.trimEnd()}\n`),
      ...(start === undefined ? [] : [Buffer.from(`from ${start}\n`)]),
      ...Object.entries(files).flatMap(([path, content]) =>
        content === null ? [Buffer.from(`D ${path}\n`)] : [Buffer.from(`M 100644 inline ${path}\n`), data(content)],
      ),
    ];
  });
  return Buffer.concat(parts);
}

function data(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from(`data ${bytes.byteLength}\n`), bytes, Buffer.from('\n')]);
}
