/** The reason why a name may not become a file. */
export type NameProblem = 'invalidName' | 'reservedName' | 'forbiddenName' | 'normalization';

const encoder = new TextEncoder();
const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 1024;

/** Device names that Windows opens whatever the extension; it treats superscript digits as digits there. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])$/i;
/**
 * Characters that some file system forbids, or treats as the separator of a path or a stream. Network drives and Cygwin store
 * them as U+F000 to U+F0FF. APFS refuses unassigned characters, whose normal form is not known either.
 */
const FORBIDDEN_CHARACTERS = /[\p{Cc}\p{Cn}\\:*?"<>|\uf000-\uf0ff]/u;
/** Characters that end a line, are invisible, are ignored in names by HFS+, or change the reading direction. */
const INVISIBLE = /[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u200b\u2800\ufeff\ufff9-\ufffb]/u;
/** Percent-encoded dots, slashes and control characters: a tool that decodes the name again would leave the folder or line. */
const ENCODED_STEP = /%(?:2e|2f|5c|7f|[01][\da-f])/i;
/** Spaces of any width at an end, which programs trim, and a combining mark at the start, which is drawn over the slash. */
const UNCLEAR_END = /^[\s\p{M}]|\s$/u;
/** The names that need a closer check although they consist of ordinary characters. */
const SPECIAL = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d|node_modules)(?:[./]|$)|\.code-workspace(?:\/|$)/i;

/**
 * Returns why a name from outside (the platform or an agent) may not become a file on this disk, or `undefined` if it may. An
 * accepted name is relative, in NFC, never leaves the folder, and means the same file on Linux, macOS and Windows.
 */
export function checkName(path: string): NameProblem | undefined {
  if (path === '' || path.length > MAX_PATH_BYTES) return 'invalidName';
  if (isPlain(path) && !SPECIAL.test(path)) return undefined;
  if (FORBIDDEN_CHARACTERS.test(path) || INVISIBLE.test(path) || !path.isWellFormed()) return 'invalidName';
  if (path.normalize('NFC') !== path) return 'normalization';
  if (encoder.encode(path).length > MAX_PATH_BYTES) return 'invalidName';
  for (const segment of path.split('/')) {
    const reason = checkSegment(segment);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const [WORD, DASH, DOT, SLASH] = [1, 2, 3, 4];
const MAX_PART = 64;

/** The kind of each ASCII character in an ordinary name; 0 for characters that do not occur in one. */
const ORDINARY = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\w/.test(character)) return WORD;
  return { '-': DASH, '.': DOT, '/': SLASH }[character] ?? 0;
});

/**
 * Checks for an ordinary path, which nearly every path is: segments of letters, digits, `_` and `-`, separated by dots and
 * slashes, that do not begin with `-`.
 */
function isPlain(path: string): boolean {
  let part = 0;
  let segment = 0;
  for (let at = 0; at < path.length; at++) {
    const kind = ORDINARY[path.charCodeAt(at)] ?? 0;
    segment += 1;
    if (kind === WORD) part += 1;
    else if (kind === 0 || part === 0 || part > MAX_PART) return false;
    else if (kind === DASH) part += 1;
    else {
      part = 0;
      if (kind === DOT) continue;
      if (segment > MAX_SEGMENT_BYTES) return false;
      segment = 0;
    }
  }
  return part > 0 && part <= MAX_PART && segment <= MAX_SEGMENT_BYTES;
}

function checkSegment(segment: string): NameProblem | undefined {
  if (segment === '' || segment === '.' || segment === '..') return 'invalidName';
  if (ENCODED_STEP.test(segment)) return 'invalidName';
  if (segment.endsWith('.') || UNCLEAR_END.test(segment)) return 'invalidName';
  if (segment.length > MAX_SEGMENT_BYTES / 4 && encoder.encode(segment).length > MAX_SEGMENT_BYTES)
    return 'invalidName';
  // Windows programs with a code page read wide and other compatible characters as ordinary ones.
  return ASCII.test(segment)
    ? checkReserved(segment)
    : (checkReserved(segment) ?? checkReserved(segment.normalize('NFKC')));
}

function checkReserved(segment: string): NameProblem | undefined {
  const dot = segment.indexOf('.');
  if (RESERVED.test((dot === -1 ? segment : segment.slice(0, dot)).trimEnd())) return 'reservedName';
  return isForbidden(segment) ? 'forbiddenName' : undefined;
}

/** Checks for names that configure tools, hold secrets or could run code: they are never written, whatever their source. */
function isForbidden(segment: string): boolean {
  if (segment.startsWith('.')) return true;
  const lower = segment.toLowerCase();
  return lower === 'node_modules' || SHORT_NAME.test(lower) || lower.endsWith('.code-workspace');
}

/** Windows also opens files by their short names: `vscode~1` is `.vscode`, `node_m~1` is `node_modules`. */
const SHORT_NAME = /^(?=[^.]{3,8}(?:\.|$))[^.]*~\d+(?:\.[^.]{0,3})?$/;

const ASCII = /^\p{ASCII}*$/u;

/** Describes the problem as the rest of a sentence that begins with “The name …”. */
export function nameProblemText(problem: NameProblem): string {
  switch (problem) {
    case 'invalidName':
      return 'has characters or steps that not every system can store';
    case 'reservedName':
      return 'is reserved on Windows';
    case 'forbiddenName':
      return 'is hidden, or configures a tool';
    case 'normalization':
      return 'is not in Unicode normal form';
    default:
      return problem satisfies never;
  }
}

/**
 * Returns a key that two paths share if a file system that ignores case or normalizes names treats them as one file. Converts to
 * upper case first because such systems fold whole words: `ß` becomes `ss`, and `ſ` becomes `s`.
 */
export function foldName(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase();
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Whether a name has the same bytes in every Unicode normal form. */
export function isAscii(name: string): boolean {
  return ASCII.test(name);
}
