/**
 * Returns the one spelling of a URI: editors and Node escape different characters (`%3A` or `:`, `%40` or `@`), write schemes and hosts
 * in either case and the empty host of a file in several ways, and the server compares URIs as text. Never throws.
 */
export function normalizeUri(uri: string): string {
  const match = /^([\w+.-]+:)(\/\/[^/?#]*)?([^?#]*)(.*)$/s.exec(uri);
  if (!match) return uri;
  const [, given = '', authority = '', path = '', rest = ''] = match;
  const scheme = given.toLowerCase();
  if (scheme === 'file:') return `${fileUri(`${authority}${path}`)}${rest}`;
  return `${scheme}${hostIn(authority)}${path.split('/').map(segment).join('/')}${rest}`;
}

/** Returns the URI of a file, whose path is that of a disk: `..` leads up, and slashes may be backslashes or double. */
function fileUri(given: string): string {
  const [, host = '', path = ''] = /^(\/\/[^/\\]*)?(.*)$/s.exec(given) ?? [];
  // Some clients put two slashes before a path of Windows.
  const drive = DRIVE.test(decoded(host.slice(2))) ? host.slice(2) : '';
  const authority = drive === '' && host !== '//localhost' ? hostIn(host) || '//' : '//';
  const segments: string[] = [];
  for (const each of `/${drive}${path}`.split(/[/\\]+/)) {
    const own = segment(each, segments.length);
    if (own === '..') segments.length = Math.max(1, segments.length - 1);
    else if (own !== '.') segments.push(own);
  }
  return `file:${authority}${segments.length === 1 ? '/' : segments.join('/')}`;
}

const DRIVE = /^[A-Za-z]:$/;

/** Returns an authority with its host in lower case; the name of a user before it may need its case. */
function hostIn(authority: string): string {
  const at = authority.lastIndexOf('@') + 1;
  const host = reencoded(authority.slice(Math.max(at, 2)));
  return (
    authority.slice(0, Math.max(at, 2)) +
    host.replaceAll(/%[\dA-F]{2}|[A-Z]+/g, (found) => (found.startsWith('%') ? found : found.toLowerCase()))
  );
}

function segment(text: string, at: number): string {
  // Drive letters are compared in lower case.
  return reencoded(at === 1 && DRIVE.test(decoded(text)) ? text.toLowerCase() : text);
}

function reencoded(text: string): string {
  try {
    const encoded = encodeURIComponent(decodeURIComponent(text));
    return encoded.replaceAll(/%(3A|40|2B|3D|2C|24|26|3B)/g, (code) => decodeURIComponent(code));
  } catch {
    // Escapes without a meaning, and halves of characters.
    return text;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
