import { type Answered, isDone, type Mode } from './mode.ts';

/** How a server says that something was done, and nothing more. */
export const terseForms = ['OK', 'empty', '204'] as const;
export type TerseForm = (typeof terseForms)[number];

/**
 * A change is answered with its success alone where the documented API promises nothing else (or does not show what), in one form,
 * or in another form an operation.
 */
export function terse(form?: TerseForm): Mode {
  return {
    answer: (operation, answered) => {
      const { answer, method, id } = operation;
      const saysMore = answer.status === '204' || answer.json !== undefined || answer.form === 'shown';
      if (method === 'GET' || !isDone(answered) || saysMore) return answered;
      return said(form ?? terseForms[id.length % terseForms.length] ?? 'OK');
    },
  };
}

function said(form: TerseForm): Answered {
  const headers = new Headers(form === 'OK' ? { 'content-type': 'text/plain' } : {});
  return { status: form === '204' ? 204 : 200, headers, json: undefined, text: form === 'OK' ? 'OK' : '' };
}
