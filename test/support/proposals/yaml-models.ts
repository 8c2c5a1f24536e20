import fc from 'fast-check';

/** A user's style of writing a model: an engine reads all styles the same way, and an edit must preserve them. */
interface Style {
  /** Indentation of one level, in spaces. */
  readonly step: 2 | 4;
  /** Whether the dashes of a list are in line with its key or indented. */
  readonly listIndent: boolean;
  readonly blankBetween: boolean;
  readonly quote: '' | '"' | "'";
  readonly quotedKeys: boolean;
  readonly comments: boolean;
}

type MemberForm = 'block' | 'flow' | 'anchored' | 'merged' | 'folded' | 'jinja' | 'nested';

interface Member {
  readonly name: string;
  readonly form: MemberForm;
  readonly type: string;
}

export interface CubeSpec {
  readonly name: string;
  readonly source: 'table' | 'block' | 'folded';
  readonly dimensions: readonly Member[];
  readonly measures: readonly Member[];
  readonly tail: boolean;
}

export interface YamlModel {
  readonly style: Style;
  readonly cubes: readonly CubeSpec[];
  readonly text: string;
}

const style: fc.Arbitrary<Style> = fc.record({
  step: fc.constantFrom(2, 4),
  listIndent: fc.boolean(),
  blankBetween: fc.boolean(),
  quote: fc.constantFrom('', '', '"', "'"),
  quotedKeys: fc.boolean(),
  comments: fc.boolean(),
});

const form = fc.constantFrom<MemberForm>('block', 'block', 'flow', 'anchored', 'merged', 'folded', 'jinja', 'nested');

const members = (prefix: string, types: readonly string[]): fc.Arbitrary<readonly Member[]> =>
  fc
    .array(fc.record({ form, type: fc.constantFrom(...types) }), { minLength: 1, maxLength: 4 })
    .map((list) => list.map((each, at) => ({ ...each, name: `${prefix}_${at}` })));

const cubeSpec = (at: number): fc.Arbitrary<CubeSpec> =>
  fc.record({
    name: fc.constantFrom(`orders${at}`, `line_items${at}`, `Customers${at}`),
    source: fc.constantFrom('table', 'block', 'folded'),
    dimensions: members(`dim${at}`, ['string', 'number', 'time']),
    measures: members(`mea${at}`, ['sum', 'max', 'count_distinct']),
    tail: fc.boolean(),
  });

/** Models of one to three cubes, written as users write them. */
export const yamlModels: fc.Arbitrary<YamlModel> = fc
  .tuple(style, fc.integer({ min: 1, max: 3 }))
  .chain(([chosen, size]) =>
    fc
      .tuple(...Array.from({ length: size }, (_, at) => cubeSpec(at)))
      .map((cubes) => ({ style: chosen, cubes, text: yamlText(chosen, cubes) })),
  );

function yamlText(own: Style, cubes: readonly CubeSpec[]): string {
  const at = own.listIndent ? own.step : 0;
  const head = own.comments ? '# The model of the shop: {keep: this}\n\n' : '';
  const last = own.comments ? '\n# The end.\n' : '';
  return `${head}cubes:\n${cubes.map((cube) => cubeText(own, cube, at)).join(own.blankBetween ? '\n' : '')}${last}`;
}

function cubeText(own: Style, cube: CubeSpec, indent: number): string {
  const column = indent + 2;
  const pad = ' '.repeat(column);
  const key = (name: string): string => (own.quotedKeys ? `"${name}"` : name);
  const comment = own.comments ? `${' '.repeat(indent)}# All about ${cube.name}.\n` : '';
  const lines = [
    `${' '.repeat(indent)}- ${key('name')}: ${own.quote}${cube.name}${own.quote}${own.comments ? '  # its name' : ''}`,
    ...sourceLines(cube, pad, own.step, key),
    sectionText('dimensions', cube.dimensions, own, column, key),
    sectionText('measures', cube.measures, own, column, key),
    ...(cube.tail ? [`${pad}${key('meta')}: { owner: "a, b: c", tags: [x, 'y'] }`] : []),
  ];
  return `${comment}${lines.join('\n')}\n`;
}

function sourceLines({ name, source }: CubeSpec, pad: string, step: number, key: (name: string) => string): string[] {
  const deeper = `${pad}${' '.repeat(step)}`;
  switch (source) {
    case 'table':
      return [`${pad}${key('sql_table')}: public.${name}`];
    case 'block':
      return [`${pad}${key('sql')}: |`, `${deeper}SELECT *  -- : {not a map}`, '', `${deeper}FROM public.${name}`];
    case 'folded':
      return [`${pad}${key('sql')}: >-`, `${deeper}SELECT a, b`, `${deeper}FROM t # no comment`];
    default:
      return source satisfies never;
  }
}

function sectionText(
  section: string,
  list: readonly Member[],
  own: Style,
  column: number,
  key: (name: string) => string,
): string {
  const pad = ' '.repeat(column);
  const dash = column + (own.listIndent ? own.step : 0);
  const anchors = list.map(({ name, form: how }) => (how === 'anchored' ? `m_${section}_${name}` : undefined));
  const items = list.map((member, at) => {
    const anchor = anchors.slice(0, at).findLast((known) => known !== undefined);
    return memberText(member, at, section, dash, key, own, anchor);
  });
  return `${pad}${key(section)}:\n${items.join(own.blankBetween ? '\n\n' : '\n')}`;
}

function memberText(
  { name, form: how, type }: Member,
  at: number,
  section: string,
  dash: number,
  key: (name: string) => string,
  own: Style,
  anchor: string | undefined,
): string {
  const [pad, deep] = [' '.repeat(dash), ' '.repeat(dash + 2)];
  const comment = own.comments && at > 0 ? `${pad}# About ${name}\n` : '';
  const end = own.comments ? '  # as agreed' : '';
  const block = (...more: readonly string[]): string =>
    [
      `${comment}${pad}- ${key('name')}: ${own.quote}${name}${own.quote}`,
      ...more,
      `${deep}${key('type')}: ${type}${end}`,
    ].join('\n');
  switch (how) {
    case 'block':
      return block(`${deep}${key('sql')}: "{CUBE}.${name}"`);
    case 'flow':
      return `${comment}${pad}- { name: ${name}, sql: "{CUBE}.${name}", type: ${type} }${end}`;
    case 'anchored':
      return block(
        `${deep}${key('sql')}: ${name}`,
        `${deep}${key('meta')}: &m_${section}_${name}`,
        `${deep}  unit: eur`,
      );
    case 'merged':
      return block(
        `${deep}${key('sql')}: ${name}`,
        `${deep}${key('title')}: 'It''s: a title'`,
        ...(anchor === undefined ? [] : [`${deep}${key('meta')}: *${anchor}`]),
      );
    case 'folded':
      return block(
        `${deep}${key('sql')}: >`,
        `${deep}  CASE WHEN a THEN b`,
        `${deep}  END`,
        `${deep}${key('description')}: "a # b: c"`,
      );
    case 'jinja':
      return block(`${deep}${key('sql')}: "{{ column('${name}') }}"`);
    case 'nested':
      return block(
        `${deep}${key('sql')}: ${name}`,
        `${deep}${key('meta')}:`,
        `${deep}  names:`,
        `${deep}  - one`,
        `${deep}  - two: [1, 2]`,
      );
    default:
      return how satisfies never;
  }
}
