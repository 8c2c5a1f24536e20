/**
 * Returns the one spelling of a URI: editors and Node escape different characters (`%3A` or `:`, `%40` or `@`), and the server
 * compares URIs as text. Only the path changes.
 */
export function normalizeUri(uri: string): string {
  const match = /^([\w+.-]+:)(\/\/[^/?#]*)?([^?#]*)(.*)$/s.exec(uri);
  if (!match) return uri;
  const [, scheme = '', authority = '', path = '', rest = ''] = match;
  return `${scheme}${authority}${path.split('/').map(reencode).join('/')}${rest}`;
}

function reencode(segment: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return segment;
  }
  // Drive letters are compared in lower case.
  if (/^[A-Za-z]:$/.test(decoded)) return decoded.toLowerCase();
  return encodeURIComponent(decoded).replaceAll(/%(3A|40|2B|3D|2C|24|26|3B)/g, (code) => decodeURIComponent(code));
}
