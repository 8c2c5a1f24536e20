import { describe, expect, it } from 'vitest';
import { modelFailure } from '#features/data/model-failure.ts';

const lead = 'The data model of Shop does not compile.';
const next = 'Correct the model; the members come back when it compiles.';

describe('modelFailure', () => {
  it.each([
    [
      'Compile errors:\nmodel/cubes/orders.yml Errors:\norders cube: (measures.total.sql) is required\n',
      `${lead} model/cubes/orders.yml, “orders.total”: orders cube: (measures.total.sql) is required. ${next}`,
    ],
    [
      'Compile errors:\nErrors:\norders cube: (measures.total.sql) is required\nusers cube: (sql) is required\n\nx.yml Errors:\nUnexpected YAML key: foo.',
      `${lead} “orders.total”: orders cube: (measures.total.sql) is required. 2 more errors. ${next}`,
    ],
    // As a server in development mode sends it.
    [
      'Error: Compile errors:\norders.js Errors:\nUnexpected token (3:4)\n\n    at ErrorReporter.throwIfAny (/cube/ErrorReporter.js:1:2)\n    at async run (/cube/x.js:3:4)\n    at new Promise (<anonymous>)',
      `${lead} orders.js, line 3: Unexpected token (3:4). ${next}`,
    ],
  ])('reads %j', (error, message) => {
    expect(modelFailure({ error }, 'Shop')).toBe(message);
  });

  it.each([
    [{ error: 'column o.x does not exist' }],
    [{ error: { message: 'Compile errors:' } }],
    ['Compile errors:'],
    [undefined],
  ])('leaves %j alone', (body) => {
    expect(modelFailure(body, 'Shop')).toBeUndefined();
  });
});
