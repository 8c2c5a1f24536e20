import fc from 'fast-check';

type MemberForm = 'block' | 'line' | 'function' | 'template' | 'commented';

export interface ScriptCube {
  readonly name: string;
  readonly measures: readonly { readonly name: string; readonly form: MemberForm }[];
}

export interface ScriptModel {
  readonly cubes: readonly ScriptCube[];
  readonly text: string;
}

interface Style {
  readonly tab: string;
  readonly trailing: boolean;
  readonly name: (name: string) => string;
  readonly head: string;
  readonly foot: string;
  readonly blankBetween: boolean;
  readonly quotedKeys: boolean;
}

const style: fc.Arbitrary<Style> = fc.record({
  tab: fc.constantFrom('  ', '    ', '\t'),
  trailing: fc.boolean(),
  name: fc.constantFrom<(name: string) => string>(
    (name) => `\`${name}\``,
    (name) => `'${name}'`,
    (name) => `"${name}"`,
  ),
  head: fc.constantFrom(
    '',
    '// The shop: cube(`x`, {\n',
    "const prefix = 'shop';\n\n",
    '/* measures: {\n * }\n */\nconst table = (name) => `public.${name}`;\n',
  ),
  foot: fc.constantFrom('', '\nmodule.exports = { shop: 1 };\n', '\n// measures: {}\n'),
  blankBetween: fc.boolean(),
  quotedKeys: fc.boolean(),
});

const form = fc.constantFrom<MemberForm>('block', 'line', 'function', 'template', 'commented');

/** Models of one or two cubes in JavaScript, written as users write them. */
export const scriptModels: fc.Arbitrary<ScriptModel> = fc
  .tuple(style, fc.array(fc.array(form, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }))
  .map(([own, forms]) => {
    const cubes = forms.map((list, at) => ({
      name: `orders_${at}`,
      measures: list.map((how, index) => ({ name: `mea${at}_${index}`, form: how })),
    }));
    const text = `${own.head}${cubes.map((cube) => cubeText(own, cube)).join('\n')}${own.foot}`;
    return { cubes, text };
  });

function cubeText({ tab, trailing, name, blankBetween, quotedKeys }: Style, cube: ScriptCube): string {
  const key = (text: string): string => (quotedKeys ? `'${text}'` : text);
  const end = trailing ? ',' : '';
  const items = cube.measures.map(({ name: measure, form: how }) => {
    const pad = tab.repeat(2);
    const deep = tab.repeat(3);
    switch (how) {
      case 'block':
        return `${pad}${key(measure)}: {\n${deep}sql: \`amount\`,\n${deep}type: \`sum\`${end}\n${pad}}`;
      case 'line':
        return `${pad}${key(measure)}: { sql: 'a', type: 'max' }`;
      case 'function':
        return `${pad}${key(measure)}: {\n${deep}sql: () => \`a\`,\n${deep}type: \`sum\`${end}\n${pad}}`;
      case 'template':
        return `${pad}${key(measure)}: {\n${deep}sql: \`CASE WHEN {a} THEN '}' END\`,\n${deep}type: \`sum\`,\n${deep}format: \`currency\`${end}\n${pad}}`;
      case 'commented':
        return `${pad}// About ${measure}: }\n${pad}${key(measure)}: { // here\n${deep}type: \`count\`, /* { */\n${pad}}`;
      default:
        return how satisfies never;
    }
  });
  const list = items.join(blankBetween ? ',\n\n' : ',\n');
  return `cube(${name(cube.name)}, {\n${tab}${key('sql_table')}: \`public.orders\`,\n\n${tab}${key('measures')}: {\n${list}${end}\n${tab}}${end}\n});\n`;
}
