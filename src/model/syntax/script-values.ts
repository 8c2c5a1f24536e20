import type { BinaryExpression, Expression, UnaryExpression } from 'acorn';
import type { ValueKind } from './tree.ts';

/** Returns what an expression yields whatever happens; undefined if that is known only when it runs. */
export function valueKindOf(node: Expression): ValueKind | undefined {
  switch (node.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
      return 'function';
    case 'TemplateLiteral':
      return 'text';
    case 'NewExpression':
      return 'object';
    case 'Literal':
      return typeof node.value === 'bigint' ? 'bigint' : node.regex ? 'regexp' : undefined;
    case 'BinaryExpression':
      return kindOfBinary(node);
    case 'UnaryExpression':
      return kindOfUnary(node);
    default:
      return undefined;
  }
}

const COMPARISONS = new Set(['==', '!=', '===', '!==', '<', '<=', '>', '>=', 'in', 'instanceof']);

function kindOfBinary({ operator, left, right }: BinaryExpression): ValueKind {
  if (COMPARISONS.has(operator)) return 'boolean';
  if (operator !== '+') return 'number';
  return isText(left) || isText(right) ? 'text' : 'text or number';
}

function kindOfUnary({ operator }: UnaryExpression): ValueKind | undefined {
  if (operator === '!' || operator === 'delete') return 'boolean';
  if (operator === 'typeof') return 'text';
  return operator === 'void' ? undefined : 'number';
}

function isText(node: Expression | BinaryExpression['left']): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
