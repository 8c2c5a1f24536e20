import type { Expectation } from '../core/files.ts';
import { invalid } from '../core/refusal.ts';
import { sha1 } from '../git/worktree.ts';

/**
 * What `If-Match` and `If-None-Match` say about the files of a request (README, *Conditional writes*): `If-Match` holds
 * one entity tag a file, in the order of `files`, `"-"` for a file that must not exist; `If-None-Match: *` says that
 * none of them may exist. Without either header anything goes.
 */
export function expectationOf(headers: Headers, count: number): Expectation {
  const ifNoneMatch = headers.get('if-none-match')?.trim();
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch !== '*') throw invalid('If-None-Match: only * is understood');
    return (_path, _at, current) => current === undefined;
  }
  const ifMatch = headers.get('if-match')?.trim();
  if (ifMatch === undefined) return () => true;
  if (ifMatch === '*') return (_path, _at, current) => current !== undefined;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
  if (tags.length !== count) {
    throw invalid(`If-Match: has ${tags.length} tags for ${count} files: send one a file, in their order`);
  }
  return (_path, at, current) => (tags[at] === '-' ? current === undefined : current === tags[at]);
}

/** A write's answer: the entity tag of a file written alone tells a client that this server honours `If-Match`. */
export function writtenAnswer(files: readonly { readonly content: string }[]): Response {
  const [only, ...more] = files;
  const headers: Record<string, string> =
    only && more.length === 0 ? { etag: `"${sha1(Buffer.from(only.content, 'utf8'))}"` } : {};
  return new Response(null, { status: 204, headers });
}
