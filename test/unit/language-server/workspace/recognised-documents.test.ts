import { describe, expect, it } from 'vitest';
import { isModelFile } from '#language-server/workspace/recognised-documents.ts';
import { parseFile } from '#model/file.ts';
import { yaml } from '#support/language/raw.ts';

describe('a parsed file', () => {
  // A folder of 600 files that all change asks 360,000 times.
  it('has its text searched once, however often the model around it changes', () => {
    let looks = 0;
    const text = yaml`
      cubes:
        - name: orders
          sql_table: t
    `;
    const file = Object.defineProperty({ ...parseFile('file:///m/orders.yml', text) }, 'text', {
      get: () => {
        looks += 1;
        return text;
      },
    });
    expect([isModelFile(file), isModelFile(file), isModelFile(file)]).toEqual([true, true, true]);
    expect(looks).toBe(1);
  });

  it('is not a model if it only lies beside one', () => {
    expect(isModelFile(parseFile('file:///m/ci.yml', 'jobs: []\n'))).toBe(false);
  });
});
