import { bodyProperties, describedBody } from '#api/description/described-body.ts';
import { err, ok } from '#base/result.ts';
import { bodyProblem } from './body-problem.ts';
import type { DocumentEdit } from './document.ts';
import { servedSchema } from './document-schema.ts';
import type { Fields } from './rows.ts';

/**
 * Replaces the schema and the checks of a document with those of the server’s own description of the body. Required fields are
 * always sent, even unchanged. If the server describes no body, our rules apply.
 */
export function servedEdit(edit: DocumentEdit, title: string, description: Fields | undefined): DocumentEdit {
  const { sends, isNew } = edit;
  const schema = sends && description && describedBody(description, sends.op);
  if (!sends || !schema) return edit;
  const { properties, required } = bodyProperties(schema);
  const served = servedSchema(title, schema, properties);
  return {
    ...edit,
    schema: edit.explain?.(served) ?? served,
    check: (fields, before) => {
      const own = sends.rule?.(fields);
      if (own) return err(own);
      const given = Object.entries(sends.bodyOf(fields, before)).filter(([, value]) => isNew || value !== null);
      const problem = bodyProblem(schema, Object.fromEntries(given), !isNew);
      if (!problem) return ok(fields);
      const { field, message } = problem;
      return err({ field, message: `${field === '' ? 'The document' : field}: ${message}. Nothing was sent.` });
    },
    // A required field counts as changed, so that it is sent as it was read.
    send: async (fields, before) => edit.send(fields, without(before, required)),
  };
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
