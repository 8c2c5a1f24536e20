/** A search with more hits marks only the first ones: its text is too short to find anything. */
const MOST_HITS = 2_000;

/** Returns all occurrences of a text in an element, ignoring case; an occurrence may span several elements. */
export function findRanges(root: Node, query: string): Range[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return [];
  const { text, nodes } = textOf(root);
  const haystack = text.toLowerCase();
  const ranges: Range[] = [];
  for (let at = haystack.indexOf(wanted); at !== -1 && ranges.length < MOST_HITS;) {
    ranges.push(rangeOf(nodes, at, at + wanted.length));
    at = haystack.indexOf(wanted, at + wanted.length);
  }
  return ranges;
}

interface TextSegment {
  readonly node: Text;
  /** Offset in the whole text. */
  readonly start: number;
}

function textOf(root: Node): { readonly text: string; readonly nodes: readonly TextSegment[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: TextSegment[] = [];
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  return { text, nodes };
}

function rangeOf(nodes: readonly TextSegment[], from: number, to: number): Range {
  const range = document.createRange();
  const first = segmentAt(nodes, from);
  const last = segmentAt(nodes, to - 1);
  if (first) range.setStart(first.node, from - first.start);
  if (last) range.setEnd(last.node, to - last.start);
  return range;
}

/** Returns the segment that contains a position: the last one that begins at or before it. */
function segmentAt(nodes: readonly TextSegment[], at: number): TextSegment | undefined {
  let [low, high] = [0, nodes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((nodes[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return nodes[low];
}
