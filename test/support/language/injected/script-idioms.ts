import { type AnyNode, type CallExpression, type ObjectExpression, parse, type Property } from 'acorn';
import { full } from 'acorn-walk';

/**
 * Ways in which people write the definitions of a script without repeating themselves. Each rewrites a script whose definitions are
 * written out, and does not change what it means.
 */
export const SCRIPT_IDIOMS: Readonly<Record<string, (script: string) => string>> = {
  'with members in constants': eachMember((member, name) => ({
    before: `const ${name} = ${member};`,
    use: (key) => `${key}: ${name}`,
  })),
  'with members from functions': eachMember((member, name) => ({
    before: `function ${name}(shown) {\n  return {\n    ...${member},\n    public: shown,\n  };\n}`,
    use: (key) => `${key}: ${name}(true)`,
  })),
  'with members under computed names': eachMember((member, name, key) => ({
    before: `const ${name} = (name) => ({\n  [name]: ${member},\n});`,
    use: () => `...${name}(${JSON.stringify(key)})`,
  })),
  'with members from a list': eachMember((member, name, key) => ({
    before: `const ${name} = [${JSON.stringify(key)}].map((name) => [name, ${member}]);`,
    use: () => `...Object.fromEntries(${name})`,
  })),
  'with members that a later one replaces': eachMember((member, name) => ({
    before: `const ${name} = ${member};\nconst old_${name} = { type: 'unknown', bogus: 1 };`,
    use: (key) => `...{ ${key}: old_${name} }, ...(true && { ${key}: ${name} })`,
  })),
  'with definitions in a loop': eachCall((call, [name, definition]) => {
    const inner = definition ?? '{}';
    return `for (const name of [${name}]) {\n  ${call}(name, ${inner});\n}\n`;
  }),
  'with definitions from a function': eachCall((call, [name, definition], at) => {
    const inner = definition ?? '{}';
    return `const define_${at} = (name) => {\n  ${call}(name, ${inner});\n};\n[${name}].forEach(define_${at});\n`;
  }),
};

interface Rewritten {
  /** What is declared in front of the definitions. */
  readonly before: string;
  /** Returns what stands in place of the member. */
  readonly use: (key: string) => string;
}

/** Sections whose members are maps with SQL of their own. */
const SECTIONS = /^(?:dimensions|measures|segments)$/;

function eachMember(rewrite: (member: string, name: string, key: string) => Rewritten): (script: string) => string {
  return (script) => {
    const edits: Edit[] = [];
    const before: string[] = [];
    for (const { arguments: given } of callsIn(script))
      for (const section of propertiesOf(given[1]))
        if (SECTIONS.test(keyOf(section)))
          for (const member of propertiesOf(section.value)) {
            const name = `part_${before.length}`;
            const made = rewrite(withFunctions(script, member.value as ObjectExpression), name, keyOf(member));
            before.push(made.before);
            const key = script.slice(member.key.start, member.key.end);
            edits.push({ start: member.start, end: member.end, text: made.use(key) });
          }
    return `${before.join('\n')}\n${applied(script, edits)}`;
  };
}

function eachCall(rewrite: (call: string, args: readonly string[], at: number) => string): (script: string) => string {
  return (script) =>
    callsIn(script)
      .map(({ callee, arguments: given }, at) => {
        const call = script.slice(callee.start, callee.end);
        const args = given.map(({ start, end }) => script.slice(start, end));
        return call === 'view_group' ? `${call}(${args.join(', ')});\n` : rewrite(call, args, at);
      })
      .join('');
}

function callsIn(script: string): readonly CallExpression[] {
  return parse(script, { ecmaVersion: 'latest', sourceType: 'module' }).body.flatMap((statement) =>
    statement.type === 'ExpressionStatement' && statement.expression.type === 'CallExpression'
      ? [statement.expression]
      : [],
  );
}

function propertiesOf(node: AnyNode | undefined): readonly Property[] {
  return node?.type === 'ObjectExpression' ? node.properties.filter((each) => each.type === 'Property') : [];
}

function keyOf({ key }: Property): string {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : '';
}

/** Keys with SQL or references, which must be functions outside of the brackets of a definition. */
const FUNCTIONS =
  /^(?:sql|drill_?[mM]embers|group_?[bB]y|reduce_?[bB]y|add_?[gG]roup_?[bB]y|time_?[dD]imension|switch|exclude|keep_?[oO]nly|include|key|url)$/;

/** Returns a member with a function around each text that refers to the model, with the names in it as parameters. */
function withFunctions(script: string, member: ObjectExpression): string {
  const edits: Edit[] = [];
  full(member, (node) => {
    if (node.type !== 'Property' || !FUNCTIONS.test(keyOf(node as Property))) return;
    const { value } = node as Property;
    if (value.type === 'ObjectExpression') return;
    const isFunction = value.type === 'ArrowFunctionExpression';
    const body = isFunction ? value.body : value;
    const text = `(${[...headsIn(body)].join(', ')}) => ${script.slice(body.start, body.end)}`;
    edits.push({ start: value.start, end: value.end, text });
  });
  const { start } = member;
  return applied(
    script.slice(start, member.end),
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
}

function headsIn(node: AnyNode): ReadonlySet<string> {
  const heads = new Set<string>();
  full(node, (inner) => {
    if (inner.type === 'Identifier') heads.add(inner.name);
  });
  return heads;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function applied(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, text: value } of edits.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + value + result.slice(end);
  return result;
}
