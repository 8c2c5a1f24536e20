/** A comment that switches problems off, and the range of the text that it applies to. */
interface Mark {
  readonly start: number;
  readonly end: number;
  /** `undefined`: all codes. */
  readonly codes: readonly string[] | undefined;
}

const COMMENT = /^(.*?)(?:#|\/\/) *modelbench-ignore(?:-(file))?(?::[ \t]*([\w,-](?:[\w, -]*[\w,-])?))?[ \t\r]*$/gm;
/** Tokens of a script that hold characters without syntactic meaning: comments and strings. */
const SCRIPT_TEXT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
const OPENS_BLOCK = /:[ \t]+[|>][-+\d]*[ \t]*(?:#.*)?\r?$/;

/** Whether a text has a comment that switches problems off; the words alone may also stand elsewhere. */
export function hasIgnores(text: string): boolean {
  return text.includes('modelbench-ignore');
}

/**
 * Returns a check of whether a comment switches off a code at an offset. `# modelbench-ignore: code, code` (`//` in JavaScript)
 * applies to its own line or, on a line of its own, to the next one with all lines of a text block (of a template, in a script)
 * that begins there; without codes to all codes; with `-file` to the whole file.
 */
export function ignores(text: string, isScript = false): (code: string, offset: number) => boolean {
  if (!hasIgnores(text)) return () => false;
  const templates = isScript ? templatesIn(text) : [];
  const marks = [...text.matchAll(COMMENT)].map((match): Mark => {
    const codes = match[3]?.split(',').map((code) => code.trim());
    if (match[2]) return { start: 0, end: text.length, codes };
    const own = match.index + match[0].length;
    const isAlone = (match[1] ?? '').trim() === '';
    return { start: match.index, end: isAlone ? endOfNext(text, own, templates) : own, codes };
  });
  return (code, offset) =>
    marks.some((mark) => mark.start <= offset && offset <= mark.end && (mark.codes?.includes(code) ?? true));
}

/**
 * Returns the offset of the line at which to insert a comment that switches off a problem: inside a text block it would be text.
 */
export function lineOfIgnore(text: string, offset: number, isScript = false): number {
  const template = isScript ? templatesIn(text).find(({ start, end }) => start < offset && offset < end) : undefined;
  if (isScript) return lineStart(text, template?.start ?? offset);
  let start = lineStart(text, offset);
  const indent = indentAt(text, start);
  for (let above = start; above > 0;) {
    above = lineStart(text, above - 1);
    const line = lineAt(text, above);
    if (line.trim() === '' || indentAt(text, above) >= indent) continue;
    if (OPENS_BLOCK.test(line)) start = above;
    break;
  }
  return start;
}

interface Template {
  readonly start: number;
  readonly end: number;
}

/** Returns the template literals of a script that span several lines. */
function templatesIn(text: string): Template[] {
  return [...text.matchAll(SCRIPT_TEXT)].flatMap(({ 0: found, index }) =>
    found.startsWith('`') && found.includes('\n') ? [{ start: index, end: index + found.length }] : [],
  );
}

/** Returns the end of the next line that is not a comment, including the text block that begins there. */
function endOfNext(text: string, from: number, templates: readonly Template[]): number {
  let at = from;
  let line = '';
  do {
    at = nextLine(text, at);
    line = lineAt(text, at);
  } while (/^\s*(?:#|\/\/)/.test(line) && at < text.length);
  let end = at + line.length;
  const template = templates.find(({ start }) => at <= start && start < end);
  if (template) return Math.max(template.end, end);
  if (!OPENS_BLOCK.test(line)) return end;
  const indent = indentAt(text, at);
  for (at = nextLine(text, at); at < text.length; at = nextLine(text, at)) {
    line = lineAt(text, at);
    if (line.trim() !== '' && indentAt(text, at) <= indent) break;
    end = at + line.length;
  }
  return end;
}

function lineStart(text: string, offset: number): number {
  // `lastIndexOf` would read a negative position as 0.
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function nextLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}

function indentAt(text: string, start: number): number {
  return /^ */.exec(text.slice(start, start + 200))?.[0].length ?? 0;
}
