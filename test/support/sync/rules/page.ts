/** An anchor before a rule in `docs/sync.md`. */
const ANCHOR = /<a id="([\w-]+)"><\/a>/g;
/** A row of a table (not its header or the line below it), a step, or an item of a list. */
const ITEM = /^(?:\| |\d+\. |- )/;
/** The line below the header of a table. */
const HEAD_LINE = /^\|\s*-/;
/** Chapters that describe rather than promise. */
const DESCRIPTIONS = ['Sync', 'Storage', 'What is not promised'];

/** Returns mismatches between a page of rules and the rules that a weakened engine breaks. */
export function ruleProblems(page: string, ids: readonly string[]): readonly string[] {
  const anchors = [...page.matchAll(ANCHOR)].map(([, id = '']) => id);
  return [
    ...anchors.filter((id) => !ids.includes(id)).map((id) => `no weakened engine breaks the rule ${id}`),
    ...ids.filter((id) => !anchors.includes(id)).map((id) => `the page has no rule ${id}`),
    ...repeated(ids).map((id) => `two weakened engines break the rule ${id}`),
    ...repeated(anchors).map((id) => `the page has the rule ${id} twice`),
    ...chaptersOf(page).flatMap(problemsOf),
  ];
}

interface Chapter {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** Returns the problem of a chapter without a rule, or of its items that are not known as rules. */
function problemsOf({ heading, lines }: Chapter): readonly string[] {
  if (DESCRIPTIONS.includes(heading)) return [];
  if (!lines.some((line) => line.match(ANCHOR))) return [`the chapter “${heading}” has no rule`];
  const items = lines.filter((line, at) => ITEM.test(line) && !HEAD_LINE.test(lines[at + 1] ?? ''));
  return items.filter((line) => !line.match(ANCHOR)).map((line) => `no anchor names the rule “${line.slice(0, 60)}”`);
}

function chaptersOf(page: string): readonly Chapter[] {
  return page.split(/^#+ /m).flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return heading === '' ? [] : [{ heading, lines }];
  });
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}
