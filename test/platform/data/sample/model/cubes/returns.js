// Written in JavaScript to show that both languages live side by side: one measure a reason, made in a loop.
const reasons = [`Wrong size`, `Damaged`, `Not as described`, `Changed mind`, `Late delivery`];

const countOf = (reason) => ({
  type: `count`,
  title: `Returns: ${reason.toLowerCase()}`,
  filters: [{ sql: (CUBE) => `${CUBE}.reason = '${reason}'` }],
});

cube(`returns`, {
  sql_table: `returns`,
  title: `Returns`,
  description: `Items that customers sent back.`,

  joins: {
    line_items: {
      relationship: `many_to_one`,
      sql: `${CUBE}.line_item_id = ${line_items.id}`,
    },
  },

  dimensions: {
    id: { sql: `id`, type: `number`, primary_key: true },
    reason: { sql: `reason`, type: `string`, title: `Return reason` },
    created_at: { sql: `created_at`, type: `time`, title: `Return date` },
  },

  measures: {
    count: { type: `count`, title: `Number of returns` },
    refunds: { type: `sum`, sql: `refund`, format: `currency`, title: `Refunded amount` },
    ...Object.fromEntries(reasons.map((reason) => [reason.toLowerCase().replace(/ /g, `_`), countOf(reason)])),
  },
});
