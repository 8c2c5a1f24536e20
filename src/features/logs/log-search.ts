import { err, ok, type Result } from '#base/result.ts';

/**
 * Parses a search text: plain text, ignoring case, or a regular expression between slashes. `undefined` for an empty text, which
 * matches everything.
 */
export function searchPattern(typed: string): Result<RegExp | undefined, string> {
  const text = typed.trim();
  if (text === '') return ok(undefined);
  const written = /^\/(.+)\/(i?)$/s.exec(text);
  if (!written) return ok(new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'i'));
  try {
    return ok(new RegExp(written[1] ?? '', written[2]));
  } catch {
    return err('This is not a valid regular expression. Remove the slashes to search for it as plain text.');
  }
}
