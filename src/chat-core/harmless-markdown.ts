/**
 * Returns Markdown for which a preview loads nothing: an image becomes a link to it, and a tag becomes text. The address of an image
 * is chosen by who wrote the text, and could carry to a foreign server what an answer quotes.
 *
 * Blocks of code that begin at the margin stay as they are, up to the first one that does not. Elsewhere a `<` in code can be shown
 * as `&lt;`: whether something is code there depends on everything around it.
 */
export function harmlessMarkdown(text: string): string {
  // A preview draws formulas, in which a fence is none.
  let isCertain = !text.includes('$$');
  let fence = '';
  // Every second item is the end of a line.
  return text
    .split(/(\r\n?|\n)/)
    .map((line) => {
      if (fence !== '') {
        if (isEndOf(fence, line)) fence = '';
        return line;
      }
      fence = isCertain ? fenceOf(line) : '';
      if (fence === '' && INDENTED_FENCE.test(line)) isCertain = false;
      return fence === '' ? withoutEmbedded(line) : line;
    })
    .join('');
}

/** In a list, a quotation, or beside the margin. */
const INDENTED_FENCE = /^[\s>*+\-\d.)]+(?:`{3}|~{3})/;

/** Returns the fence that begins a block of code at the margin; empty for any other line. */
function fenceOf(line: string): string {
  const [, fence = '', info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return fence.startsWith('`') && info.includes('`') ? '' : fence;
}

function isEndOf(fence: string, line: string): boolean {
  const [, end = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return end.startsWith(fence);
}

function withoutEmbedded(line: string): string {
  const asLinks = line.replaceAll('![', '&#33;[');
  return asLinks.replaceAll(line.startsWith('|') ? TAG_IN_TABLE : TAG, '&lt;');
}

/** The beginning of a tag, of a comment and the like; an address in brackets is a link. */
const TAG = /<(?![a-z][a-z\d+.-]{1,31}:[^\s<>]*>)(?=[a-z/!?])/gi;
/** The same where `<br>` begins no block: it begins a further line of a cell. */
const TAG_IN_TABLE = new RegExp(`(?!<br>)${TAG.source}`, 'gi');
