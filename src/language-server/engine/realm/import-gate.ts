import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { builtIn, call } from './built-in.ts';
import { isPristine } from './pristine.ts';

const exec = builtIn(RegExp.prototype, 'exec');

/**
 * Throws if code contains a dynamic `import`, or if it cannot be parsed and might contain one. A model may already have changed
 * the built-ins, so nothing is called here through an object that it can reach.
 */
export function refuseImports(code: string): void {
  // A keyword cannot be written with escapes, so code without the word holds none.
  if (call(exec, /\bimport\b/, [code]) === null) return;
  // The parser depends on the realm's built-ins.
  if (!isPristine()) throw new EvalError('Code with the word “import” cannot be read after built-ins were changed.');
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true });
  full(program, ({ type }) => {
    if (type === 'ImportExpression') throw new EvalError('A data model cannot import code with import().');
  });
}
