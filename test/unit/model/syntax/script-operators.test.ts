import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultOfBinary, resultOfUnary } from '#model/syntax/script/operators.ts';

const primitive = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.constantFrom('', ' ', '1', '-2', '0x10', 'a', 'b'),
  fc.integer({ min: -9, max: 9 }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
const BINARY = '+ - * / % ** == != === !== < > <= >= & | ^ << >> >>>'.split(' ');
const UNARY = '! - + ~ typeof'.split(' ');

const sandbox: { a?: unknown; b?: unknown } = createContext({});

/** Has JavaScript itself evaluate an expression of `a` and `b`. */
function evaluated(expression: string, a: unknown, b?: unknown): unknown {
  Object.assign(sandbox, { a, b });
  return runInContext(expression, sandbox);
}

describe('an operator of primitive values', () => {
  it('yields what JavaScript yields for two values', () => {
    fc.assert(
      fc.property(primitive, primitive, fc.constantFrom(...BINARY), (a, b, operator) => {
        expect(resultOfBinary(operator, a, b)).toEqual({ value: evaluated(`a ${operator} b`, a, b) });
      }),
      { numRuns: 2000 },
    );
  });

  it('yields what JavaScript yields for one value', () => {
    fc.assert(
      fc.property(primitive, fc.constantFrom(...UNARY), (a, operator) => {
        expect(resultOfUnary(operator, a)).toEqual({ value: evaluated(`${operator} a`, a) });
      }),
    );
  });

  it('is unknown where it needs more than primitive values', () => {
    expect([resultOfBinary('in', 'a', 'b'), resultOfUnary('void', 1)]).toEqual([undefined, undefined]);
  });
});
