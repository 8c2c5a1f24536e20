import { indented, js, prose, yaml } from '#support/language/raw.ts';
import { type Answer, RETURNS, TEMPLATE, NEW, fence, add, answer, after, replaced } from './kit.ts';
import { files } from './files.ts';

export const scriptsAndNewFiles: readonly Answer[] = [
  answer(
    'a measure in JavaScript',
    RETURNS,
    add(
      RETURNS,
      js`
        average: {
          sql: \`amount\`,
          type: \`avg\`,
        },`,
      'js',
    ),
    replaced(
      indented(
        4,
        js`
          count: {
            type: \`count\`,
          }
        `,
      ),
      indented(
        4,
        js`
          count: {
            type: \`count\`,
          },
          average: {
            sql: \`amount\`,
            type: \`avg\`,
          }
        `,
      ),
    ),
  ),
  answer(
    'a section in JavaScript',
    RETURNS,
    add(
      RETURNS,
      js`
        dimensions: {
          city: {
            sql: \`city\`,
            type: \`string\`,
          },
        },`,
      'js',
    ),
    after(
      indented(
        4,
        yaml`
            type: \`string\`, // free text
          },`,
      ),
      indented(
        4,
        js`
          city: {
            sql: \`city\`,
            type: \`string\`,
          },`,
      ),
    ),
  ),
  answer(
    'a call with a part of the cube',
    RETURNS,
    add(
      RETURNS,
      js`
        cube(\`returns\`, {
          // ... existing code ...
          measures: {
            average: {
              sql: \`amount\`,
              type: \`avg\`,
            },
          },
        });`,
      'javascript',
    ),
    replaced(
      indented(
        4,
        js`
          count: {
            type: \`count\`,
          }
        `,
      ),
      indented(
        4,
        js`
          count: {
            type: \`count\`,
          },
          average: {
            sql: \`amount\`,
            type: \`avg\`,
          }
        `,
      ),
    ),
  ),
  answer(
    'another definition in JavaScript',
    RETURNS,
    add(
      RETURNS,
      js`
        reason: {
          sql: \`LOWER(reason)\`,
          type: \`string\`,
        }`,
      'js',
    ),
    replaced('sql: `reason`', 'sql: `LOWER(reason)`'),
  ),
  answer(
    'a join in JavaScript',
    RETURNS,
    add(
      RETURNS,
      js`
        joins: {
          stores: { relationship: \`many_to_one\`, sql: \`\${CUBE}.store_id = \${stores}.id\` },
        }`,
      'js',
    ),
    after(
      indented(
        4,
        yaml`
            sql: \`\${CUBE}.order_id = \${orders}.id\`,
          },`,
      ),
      '    stores: { relationship: `many_to_one`, sql: `${CUBE}.store_id = ${stores}.id` },',
    ),
  ),
  answer(
    'the whole script, changed',
    RETURNS,
    fence(`js ${RETURNS}`, (files[RETURNS] ?? '').replace('public.returns', 'returns').trimEnd()),
    replaced('public.returns', 'returns'),
  ),
  answer(
    'a call without a measure',
    RETURNS,
    fence(
      `js ${RETURNS}`,
      (files[RETURNS] ?? '')
        .replace(/  measures: \{[\s\S]*?\n  \},\n/, '')
        .replace('public.returns', 'returns')
        .trimEnd(),
    ),
    replaced('public.returns', 'returns'),
  ),
  answer(
    'another cube in JavaScript',
    RETURNS,
    add(
      RETURNS,
      js`
        cube(\`refunds\`, {
          sql_table: \`refunds\`,
        });`,
      'js',
    ),
    {
      becomes: (file) =>
        file +
        js`

          cube(\`refunds\`, {
            sql_table: \`refunds\`,
          });
        `,
    },
  ),
  answer(
    'code that is no piece of a model',
    RETURNS,
    add(RETURNS, 'const { orders } = await load({ measures: ["orders.count"] });', 'js'),
    'quote',
  ),
  answer(
    'a query of the client',
    RETURNS,
    add(
      RETURNS,
      js`
        {
          measures: ["returns.count"],
          limit: 10
        }`,
      'js',
    ),
    { draft: 'It is not a piece of a model.' },
  ),
  answer(
    'a piece of JavaScript that is broken',
    RETURNS,
    add(RETURNS, 'measures: {\n  average: { sql: `amount`, type: `avg` ', 'js'),
    { draft: 'It is not a piece of a model.' },
  ),

  answer(
    'a measure for a cube of a template',
    TEMPLATE,
    add(
      TEMPLATE,
      yaml`
        - name: average
          sql: size
          type: avg`,
    ),
    { draft: '“stores” is written in a way that only you can edit safely.' },
  ),
  answer(
    'the whole template, changed',
    TEMPLATE,
    fence(`yaml ${TEMPLATE}`, (files[TEMPLATE] ?? '').replace('sql_table: stores', 'sql_table: all_stores').trimEnd()),
    replaced('sql_table: stores', 'sql_table: all_stores'),
  ),
  answer(
    'the template without its loop',
    TEMPLATE,
    fence(
      `yaml ${TEMPLATE}`,
      yaml`
        cubes:
          - name: stores
            sql_table: all_stores
            measures:
              - name: count
                type: count`,
    ),
    { draft: '“stores” is written in a way that only you can edit safely.' },
  ),

  answer(
    'a new file',
    NEW,
    fence(
      `yaml ${NEW}`,
      yaml`
        cubes:
          - name: payments
            sql_table: payments`,
    ),
    {
      creates: yaml`
        cubes:
          - name: payments
            sql_table: payments
      `,
    },
  ),
  answer(
    'a new file with a comment',
    NEW,
    fence(
      `yaml ${NEW}`,
      yaml`
        # Paid orders and all other payments.
        cubes:
          - name: payments
            sql_table: payments`,
    ),
    {
      creates: yaml`
        # Paid orders and all other payments.
        cubes:
          - name: payments
            sql_table: payments
      `,
    },
  ),
  answer(
    'a new file that is elided',
    NEW,
    fence(
      `yaml ${NEW}`,
      yaml`
        cubes:
          - name: payments
            # ... dimensions ...`,
    ),
    { draft: 'The file is new or empty, and the text leaves parts out.' },
  ),
  answer(
    'a new file of one measure',
    NEW,
    add(
      NEW,
      yaml`
        - name: average
          sql: amount
          type: avg`,
    ),
    { draft: 'The file is new or empty, and the text defines no cube or view.' },
  ),
  answer(
    'a new file that cannot be read',
    NEW,
    fence(
      `yaml ${NEW}`,
      yaml`
        cubes:
          - name: payments
           sql_table: payments
          x`,
    ),
    { draft: 'The file is new or empty, and the text cannot be read as a model.' },
  ),
  answer(
    'a new script',
    'model/cubes/refunds.js',
    fence(
      'js model/cubes/refunds.js',
      js`
        cube(\`refunds\`, {
          sql_table: \`refunds\`,
        });`,
    ),
    {
      creates: js`
        cube(\`refunds\`, {
          sql_table: \`refunds\`,
        });
      `,
    },
  ),
  answer(
    'a new file from two in one block',
    NEW,
    fence(
      'yaml',
      yaml`
        # ${NEW}
        cubes:
          - name: payments
            sql_table: payments
        ---
        # model/cubes/taxes.yml
        cubes:
          - name: taxes
            sql_table: taxes`,
    ),
    {
      creates: yaml`
        cubes:
          - name: payments
            sql_table: payments
      `,
    },
  ),
  answer(
    'a new file as a patch',
    NEW,
    fence(
      'diff',
      prose`
        --- /dev/null
        +++ b/${NEW}
        @@ -0,0 +1,3 @@
        +cubes:
        +  - name: payments
        +    sql_table: payments`,
    ),
    {
      creates: yaml`
        cubes:
          - name: payments
            sql_table: payments
      `,
    },
  ),
];
