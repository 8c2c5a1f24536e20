import type { Chunk, ImportedCode } from './chunk.ts';

/** The severity of a problem. `error`: the engine refuses the model, too. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface CodeInfo {
  readonly severity: Severity;
  readonly title: string;
  /** Why it matters and what to do; the body of the page in `media/diagnostics`. */
  readonly help: string;
}

const code = (severity: Severity, title: string, help: string): CodeInfo => ({ severity, title, help });

/** Every diagnostic, once: severities, texts and pages are generated from it (docs/model-language.md#diagnostics). */
export const codes = {
  'yaml-syntax': code(
    'error',
    'Invalid YAML',
    'The text cannot be read as YAML. Check the quotes, the indentation and the colons on the line. In a template, texts come out in quotes: where other text stands beside them, write `{{ name | safe }}`. Other items of the file are still analysed.',
  ),
  'script-syntax': code(
    'error',
    'Invalid JavaScript',
    'The script cannot be parsed. Check the brackets, commas and backticks.',
  ),
  'jinja-syntax': code(
    'error',
    'Unclosed template block',
    'Every `{% for %}`, `{% if %}` and `{% macro %}` needs its end, and `{{` needs `}}`.',
  ),
  'conflict-marker': code(
    'error',
    'Unresolved merge conflict',
    'Git left both sides in the file. Keep one side (or both, merged) and remove the lines that start with `<<<<<<<`, `=======` and `>>>>>>>`.',
  ),
  'not-checked': code(
    'information',
    'File that is not checked',
    'The file is larger, more deeply nested or more broken than a real model would be, or the language server stopped while it read the file. Its cubes are unknown, and nothing in it is checked. Split or correct the file: it is read again as soon as it changes.',
  ),
  'tab-indent': code('error', 'Tab in the indentation', 'YAML is indented with spaces only.'),
  'unquoted-braces': code(
    'error',
    'SQL that starts with a brace must be quoted',
    'YAML reads `{` at the start of a value as a mapping. Put the SQL in double quotes.',
  ),
  'unknown-key': code(
    'error',
    'Unknown key',
    'The engine refuses keys that it does not know. Check the spelling and the indentation: the key may belong one level further out or in.',
  ),
  'unknown-section': code(
    'error',
    'Unknown top-level key',
    'A model file holds `cubes`, `views` and `view_groups`, nothing else.',
  ),
  'duplicate-key': code('error', 'Duplicate key', 'YAML allows a key once in a mapping. Remove one, or merge the two.'),
  'missing-key': code('error', 'Required key is missing', 'The engine needs this key. The quick fix adds it.'),
  'exclusive-keys': code(
    'error',
    'Keys that cannot be combined',
    'Only one of these keys may be there. Remove the others.',
  ),
  'misplaced-key': code(
    'error',
    'Key not allowed in this combination',
    'The key exists, but another key or value here rules it out. The message names it.',
  ),
  'wrong-type': code(
    'error',
    'Wrong type of value',
    'A list, a mapping, text, a number or true/false is expected here. Text that looks like a number or a date must be quoted.',
  ),
  'null-value': code(
    'error',
    'Key without a value',
    'The engine stops at a key without a value. Give it one or remove the key.',
  ),
  'bad-value': code('error', 'Value not allowed', 'Only the listed values are allowed here.'),
  'bad-format': code(
    'error',
    'Malformed value',
    'Intervals, dates, formats, currencies and names have fixed forms; the message shows the expected one.',
  ),
  'bad-name': code(
    'error',
    'Invalid name',
    'Names start with a letter or `_` and continue with letters, digits and `_`.',
  ),
  'bad-boolean': code(
    'error',
    'Not a boolean',
    'Only `true` and `false` are booleans in YAML 1.2; `yes`, `no`, `on` and `off` are text.',
  ),
  'braces-in-text': code(
    'error',
    'Braces in plain text',
    'Every string is a template: `{x}` is evaluated when the model is loaded. Write `\\{x\\}` for the characters themselves.',
  ),
  'text-f': code('error', 'The text “f”', 'A value that is just `f` breaks the engine. Use any other text.'),
  'bad-expression': code(
    'error',
    'Expression that the engine cannot read',
    'Only names, paths and calls are allowed between braces. Write operators outside: `{a} + {b}`.',
  ),
  'duplicate-name': code(
    'error',
    'Name already in use',
    'Cubes and views share one namespace; so do measures, dimensions, segments, hierarchies and pre-aggregations of one cube.',
  ),
  'unknown-reference': code(
    'error',
    'Unknown name',
    'No cube, view or member has this name. The quick fix offers the nearest one.',
  ),
  'code-in-expression': code(
    'warning',
    'Expression that is code rather than a reference',
    'An expression may name cubes, members, and what the engine offers: `CUBE`, `FILTER_PARAMS`, `FILTER_GROUP`, `SECURITY_CONTEXT`, `SQL_UTILS`, `COMPILE_CONTEXT`. Other names would reach into the program that compiles the model. The platform may evaluate them; Modelbench does not compile a model with them on this machine.',
  ),
  'late-reference': code(
    'warning',
    'Reference to something that does not exist (noticed only when a query needs it)',
    'The engine compiles the model anyway. Queries that use this reference fail.',
  ),
  'foreign-column': code(
    'error',
    'Raw column of another cube',
    '`{other}.column` is refused inside a member. Use a dimension of the other cube: `{other.member}`.',
  ),
  'unknown-exclude': code(
    'warning',
    'Exclude of a member that does not exist',
    'The engine ignores it silently, so a member may be shown that should not be.',
  ),
  'unknown-policy-member': code(
    'warning',
    'Access policy for a member that does not exist',
    'The engine ignores it silently: the policy does not do what it says.',
  ),
  'unknown-pre-aggregation-member': code(
    'warning',
    'Pre-aggregation of a member that does not exist',
    'The model compiles; building the pre-aggregation fails.',
  ),
  'unknown-granularity': code(
    'warning',
    'Granularity that does not exist',
    'Predefined granularities are second, minute, hour, day, week, month, quarter and year; others must be defined on the time dimension.',
  ),
  'path-in-name': code(
    'error',
    'Path where a name is expected',
    'Write the name alone: the cube is known from the context.',
  ),
  'missing-primary-key': code(
    'error',
    'Primary key is missing',
    'Cubes that take part in joins need a dimension with `primary_key: true` for correct aggregates.',
  ),
  'duplicate-join': code(
    'error',
    'Second join to the same cube',
    'Only one join per pair of cubes is possible. Extend the target cube and join the child.',
  ),
  'join-without-target': code(
    'warning',
    'Join condition that never mentions the target',
    'Without a column of the other cube the join is a cross join.',
  ),
  'no-join-path': code(
    'warning',
    'Path without a join',
    'Each cube on a join path must declare a join to the next one; queries of the view fail otherwise.',
  ),
  'several-paths': code(
    'warning',
    'Several paths to one cube',
    'A view should reach a cube by one path from each root: the engine cannot always tell them apart. Extend the cube and use the child for the other path.',
  ),
  'view-clash': code(
    'error',
    'Included members with the same name',
    'Exclude one of them, give it an alias, or set `prefix: true`.',
  ),
  'view-own-member': code(
    'error',
    'View with a member of its own',
    'Views only show members of cubes. Move the definition to a cube.',
  ),
  'not-a-dimension': code(
    'warning',
    'Hierarchy level that is not a dimension',
    'Only dimensions can be levels; a view that includes the hierarchy is refused.',
  ),
  'circular-reference': code(
    'warning',
    'Circular reference between members',
    'The model compiles, but queries of these members overflow the stack.',
  ),
  'circular-extends': code(
    'error',
    'Circular inheritance',
    'Inheritance must have an end: the engine stops with “Maximum call stack size exceeded”, which does not say where the circle is.',
  ),
  'folder-path': code(
    'error',
    'Folder of a path that the view does not have',
    "The `join_path` of a folder repeats one of the view's own.",
  ),
  deprecated: code(
    'hint',
    'Deprecated spelling',
    'It still works; the message names the current spelling. The quick fix changes it.',
  ),
  'not-in-pre-aggregation': code(
    'warning',
    'Index on a column that is not in the pre-aggregation',
    'Columns of an index are members of the same pre-aggregation.',
  ),
  'differs-from-deploy': code(
    'information',
    'Member that queries know under another name or type, or not at all',
    'Queries, reports and dashboards use the model of the deploy branch. This member was removed, renamed or given another type since. The problem lists what uses it in the model and in the workspace. Update those too, or keep the old name next to the new one for a while.',
  ),
  engine: code(
    'error',
    'Refused by the engine',
    'The engine compiled the model after the last save and refused it here. The message is the engine’s own. It disappears when you edit the item; save to check it again.',
  ),
  'unknown-case-value': code(
    'warning',
    'Value that the switch dimension does not have',
    'This branch can never be chosen.',
  ),
  'incomplete-sql': code(
    'warning',
    'SQL that is cut off',
    'A quote, a bracket or an operand is missing, or what stands at the end cuts off the rest of the query. The engine passes SQL on as it is: the model compiles, and the database refuses the query.',
  ),
  'nested-aggregate': code(
    'warning',
    'Aggregate of an aggregate',
    'The type of the measure already aggregates its SQL, and databases refuse an aggregate inside another one. Use `type: number` for a formula of other measures or of aggregates.',
  ),
  'aggregate-of-row': code(
    'warning',
    'Aggregate where a value of a row is expected',
    'Dimensions, segments, joins and filters of measures are evaluated for each row, before anything is aggregated. The model compiles, and its queries fail.',
  ),
  'missing-aggregate': code(
    'warning',
    'Value of a row where an aggregate is expected',
    'A measure of `type: number` is a formula of aggregates. A plain column in it is neither grouped nor aggregated, so that queries fail or return any row.',
  ),
  'wrong-member-kind': code(
    'warning',
    'Member of another kind than is expected',
    'The list or key takes members of one kind: measures, dimensions, segments, or dimensions of `type: time`. The model compiles; queries and pre-aggregations that need it fail or leave it out.',
  ),
  'wrong-partition': code(
    'warning',
    'Partitions that do not fit the pre-aggregation',
    'Partitions divide a pre-aggregation by a time dimension, a partition should hold whole periods of the granularity, and only what is cut into partitions can be refreshed incrementally.',
  ),
  'non-additive-rollup': code(
    'information',
    'Measure that a rollup cannot add up',
    'Values of `count_distinct` and `avg` cannot be added up, and results of formulas only where the rollup holds the measures that they are computed from. A query uses the rollup only if it asks for exactly its dimensions and its granularity; every other query goes to the database. Use `count_distinct_approx`, or store the sum and the count and divide them in a measure of `type: number`.',
  ),
  'fan-out': code(
    'warning',
    'Aggregate over rows that a join multiplies',
    'A `one_to_many` join repeats the rows of the first cube, so that its measures cannot aggregate columns of the second. The engine refuses queries of such a measure. Define the measure in the cube whose column it is, or use a dimension with `sub_query: true`.',
  ),
  'query-in-model': code(
    'error',
    'Query file inside of the model',
    'The platform reads each YAML file of the model folder as a part of the model, and its build refuses the keys of a query. Keep query files in the folder `queries` beside the model folder: the quick fix moves the file there. Its checks, its tests and *Run* stay the same.',
  ),
} as const satisfies Record<string, CodeInfo>;

export type Code = keyof typeof codes;

/** A problem at a position. Offsets are those of the chunk (or of the file, for problems of a file). */
export interface Problem {
  readonly code: Code;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** Overrides the code's own. */
  readonly severity?: Severity | undefined;
  readonly related?: readonly Related[] | undefined;
  /** The code of other files that it comes from: a script uses what it imports. */
  readonly imported?: readonly ImportedCode[] | undefined;
  /** The fix, if it is obvious. */
  readonly fix?: Fix | undefined;
}

export interface Related {
  readonly chunk: Chunk;
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** A replacement of one range of the chunk. */
export interface Fix {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** The replacement; empty: deletes the range, including its line if nothing else is on it. */
  readonly text: string;
  /** It replaces a word by the only possible one, so the user need not decide. */
  readonly sure?: boolean | undefined;
}
