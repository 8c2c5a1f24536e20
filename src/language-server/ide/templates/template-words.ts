/** A keyword, filter or test of the template engine with its description. */
export interface TemplateWord {
  readonly name: string;
  readonly doc: string;
}

const words = (docs: Readonly<Record<string, string>>): readonly TemplateWord[] =>
  Object.entries(docs).map(([name, doc]) => ({ name, doc }));

/** Statements, the usual ones first. */
export const STATEMENTS: readonly TemplateWord[] = words({
  for: 'Repeats its body for each item: `{% for x in list %}`.',
  endfor: 'Ends a loop.',
  if: 'Renders its body only where a condition holds.',
  elif: 'Another condition.',
  else: 'Renders its body where no condition holds.',
  endif: 'Ends a condition.',
  set: 'Gives a name to a value: `{% set x = 1 %}`.',
  endset: 'Ends a `set` with a body.',
  macro: 'Defines a macro: `{% macro name(parameter) %}`.',
  endmacro: 'Ends a macro.',
  from: 'Imports macros: `{% from "macros.jinja" import name %}`.',
  import: 'Imports a template: `{% import "macros.jinja" as m %}`.',
  include: 'Includes another template here.',
  call: 'Calls a macro with a body.',
  endcall: 'Ends a call.',
  filter: 'Filters its body.',
  endfilter: 'Ends a filter.',
  with: 'Defines names for its body only.',
  endwith: 'Ends a `with`.',
  do: 'Evaluates an expression for its effect.',
});

/** Filters that come first, because models use them most. */
const USUAL_FILTERS = [
  'safe',
  'default',
  'items',
  'join',
  'lower',
  'upper',
  'replace',
  'length',
  'trim',
  'first',
  'last',
  'list',
  'map',
];
/** Tests that come first. */
const USUAL_TESTS = ['defined', 'none', 'undefined', 'string', 'number', 'startingwith', 'endingwith', 'in'];

/** Returns the words with the usual ones first. */
function usualFirst(all: readonly TemplateWord[], usual: readonly string[]): readonly TemplateWord[] {
  const rank = ({ name }: TemplateWord): number => (usual.includes(name) ? usual.indexOf(name) : usual.length);
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/** Functions of the template engine. */
export const FUNCTIONS: readonly TemplateWord[] = words({
  range: 'The whole numbers up to a limit, or from one to another: `range(3)`, `range(1, 4)`.',
  namespace: 'Values that loops and blocks can change: `{% set ns = namespace(found=false) %}`.',
  dict: 'A mapping of names to values: `dict(a=1)`.',
});

/** Filters that every template has, the usual ones first. */
export const FILTERS: readonly TemplateWord[] = usualFirst(
  words({
    abs: 'The value without its sign.',
    attr: 'An attribute by its name.',
    batch: 'Splits the items into lists of a given length.',
    bool: 'True or false.',
    capitalize: 'The text with a capital first letter and the rest in lower case.',
    chain: 'Several lists joined into one.',
    count: 'How many items there are.',
    d: 'A fallback value where it is undefined.',
    default: 'A fallback value where it is undefined.',
    dictsort: 'Pairs of a mapping by key.',
    e: 'The text with HTML characters escaped.',
    escape: 'The text with HTML characters escaped.',
    first: 'The first item.',
    float: 'The value as a number with decimals.',
    format: 'Values, formatted as by printf.',
    groupby: 'Items by an attribute.',
    indent: 'The lines, indented by a number of spaces.',
    int: 'A whole number.',
    items: 'The pairs of a mapping.',
    join: 'The items as one text, with a separator.',
    keys: 'The keys of a mapping.',
    last: 'The last item.',
    length: 'How many items there are.',
    lines: 'The lines of a text.',
    list: 'A list of the items.',
    lower: 'The text in lower case.',
    map: 'An attribute or a filter of each item.',
    max: 'The largest item.',
    min: 'The smallest item.',
    pprint: 'The value, formatted for reading.',
    reject: 'The items that fail a test.',
    rejectattr: 'The items with an attribute that fails a test.',
    replace: 'The text with each occurrence of one text replaced by another.',
    reverse: 'The items from last to first.',
    round: 'The number, rounded to a number of decimals.',
    safe: 'The text as it is.',
    select: 'The items that pass a test.',
    selectattr: 'The items with an attribute that passes a test.',
    slice: 'Splits the items into a given number of lists.',
    sort: 'The items in order.',
    split: 'The pieces of a text.',
    string: 'The value as a text.',
    sum: 'The sum of the items.',
    title: 'Each word with a capital letter.',
    tojson: 'The value as JSON.',
    trim: 'The text without space around it.',
    unique: 'Each item once.',
    upper: 'The text in upper case.',
    urlencode: 'The text for a URL.',
    values: 'The values of a mapping.',
    zip: 'Items of several lists side by side.',
  }),
  USUAL_FILTERS,
);

/** Tests that can follow `is`, the usual ones first. */
export const TESTS: readonly TemplateWord[] = usualFirst(
  words({
    boolean: 'True or false.',
    containing: 'Whether it contains a value.',
    defined: 'Whether it has a value.',
    divisibleby: 'Whether it can be divided by a number.',
    endingwith: 'Whether a text ends with another.',
    eq: 'Whether it is equal.',
    even: 'An even number.',
    false: 'The value `false`.',
    ge: 'Greater or equal.',
    gt: 'Greater.',
    in: 'Whether it is in a list.',
    integer: 'A whole number.',
    iterable: 'Whether a loop can run over it.',
    le: 'Less or equal.',
    lower: 'Whether all letters are in lower case.',
    lt: 'Less.',
    mapping: 'A mapping.',
    ne: 'Whether it differs.',
    none: 'The value `none`.',
    number: 'A number.',
    odd: 'An odd number.',
    sequence: 'A list.',
    startingwith: 'Whether a text starts with another.',
    string: 'A text.',
    true: 'The value `true`.',
    undefined: 'Whether it has no value.',
    upper: 'Whether all letters are in upper case.',
  }),
  USUAL_TESTS,
);

/** Attributes of `loop` inside of a loop, the usual ones first. */
export const LOOP: readonly TemplateWord[] = words({
  index: 'The number of the iteration, from 1.',
  index0: 'The number of the iteration, from 0.',
  first: 'Whether it is the first iteration.',
  last: 'Whether it is the last iteration.',
  length: 'How many iterations there are.',
  revindex: 'How many iterations are left, including this one.',
  revindex0: 'How many iterations are left.',
  cycle: 'One of several values, in turn with each iteration of the loop.',
  depth: 'How deep a recursive loop is, from 1.',
  depth0: 'How deep a recursive loop is, from 0.',
  previtem: 'The item of the previous iteration.',
  nextitem: 'The item of the next iteration.',
  changed: 'Whether a value differs from the previous iteration.',
});

/** Checks whether a filter is expected behind a text of an expression or a statement: behind a bar, and in `{% filter … %}`. */
export function takesFilter(before: string): boolean {
  return /\|\s*\w*$|^[-+]?\s*filter\s+\w*$/.test(before);
}
