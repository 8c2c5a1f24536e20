import fc from 'fast-check';

/** Values of which some do not exist in the model: `nothing` and `users`. */
const LEAVES = [
  ...["'a'", '1', 'true', 'false', 'null', 'id', 'CUBE', 'CUBE.id', 'CUBE?.id', "CUBE['id']", 'orders.id', 'CONSTANT'],
  ...['nothing', 'users', 'CUBE.nothing', "CUBE['nothing']", 'orders?.nothing', 'SECURITY_CONTEXT.a.unsafeValue()'],
];
const OPERATORS = ['&&', '||', '+', ',', '==='];

const { expression } = fc.letrec<{ expression: string; statement: string }>((tie) => {
  const value = tie('expression');
  const statement = tie('statement');
  const statements = fc.tuple(statement, statement);
  return {
    expression: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...LEAVES),
      fc.tuple(value, value, value).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc.tuple(value, fc.constantFrom(...OPERATORS), value).map((all) => `(${all.join(' ')})`),
      fc.tuple(value, value).map(([one, other]) => `((${one}) ?? ${other})`),
      fc.tuple(value, value).map(([one, other]) => `[${one}, ${other}].join(' ')`),
      fc.tuple(value, value).map(([one, other]) => `\`x \${${one}} y \${${other}}\``),
      value.map((each) => `\`\\x7Bnothing\\u007D \${${each}}\``),
      value.map((each) => `String.raw\`\${${each}}\``),
      value.map((each) => `(() => ${each})()`),
      value.map((each) => `((nothing) => ${each})('z')`),
      value.map((each) => `String(() => ${each})`),
      statements.map((both) => `(() => { ${both.join(' ')} })()`),
      value.map((each) => `JSON.stringify({ nothing: ${each} === 1 })`),
      value.map((each) => `typeof ${each}`),
      value.map((each) => `(!${each})`),
      value.map((each) => `['a'].map((nothing) => ${each}).join()`),
      value.map((each) => `[].map(() => ${each}).join()`),
      value.map((each) => `[...new Set(['nothing'])].map((n) => ${each}).join()`),
      value.map((each) => `new Map([['nothing', ${each}]]).get('nothing')`),
      value.map((each) => `(/* CUBE.nothing */ ${each})`),
      value.map((each) => `'nothing {nothing} \${nothing}'.replace(/nothing/g, String(${each}))`),
      value.map((each) => `(class { static nothing = ${each} }).nothing`),
    ),
    statement: fc.oneof(
      { depthSize: 'small' },
      value.map((each) => `return ${each};`),
      value.map((each) => `const q = ${each};`),
      value.map((each) => `const g = () => ${each};`),
      value.map((each) => `function h() { return ${each}; } h();`),
      fc.tuple(value, statement).map(([test, then]) => `if (${test}) { ${then} }`),
      fc.tuple(value, statement, statement).map(([test, then, other]) => `if (${test}) { ${then} } else { ${other} }`),
      statements.map(([one, other]) => `try { ${one} } catch (nothing) { ${other} }`),
      statements.map(([one, other]) => `try { ${one} } finally { ${other} }`),
      statements.map(([one, other]) => `{ ${one} } { ${other} }`),
      fc.tuple(value, statement).map(([item, each]) => `for (const nothing of [${item}]) { ${each} }`),
      statement.map((each) => `for (const x of []) { ${each} }`),
      fc.tuple(value, value, statement).map(([on, when, then]) => `switch (${on}) { case ${when}: ${then} }`),
    ),
  };
});

/** Code for the value of a key `sql` in every form that it can have, with names that exist and names that do not. */
export const scriptSql: fc.Arbitrary<string> = fc.oneof(
  expression.map((code) => `\`\${${code}}\``),
  expression.map((code) => `\`a \${${code}} b\``),
  expression.map((code) => `() => ${code}`),
  expression.map((code) => `() => { return \`\${${code}}\`; }`),
  expression.map((code) => `function (CUBE) { return ${code}; }`),
  expression,
);
