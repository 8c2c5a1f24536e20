import * as v from 'valibot';
import { kinds } from '#tools/model/definitions.ts';

const edgeKinds = ['many_to_one', 'one_to_many', 'one_to_one', 'unknown', 'uses'] as const;

/** A graph of the names of a model: its joins, or the lineage of one name. */
export const graphSchema = v.object({
  shows: v.pipe(v.picklist(['joins', 'lineage']), v.description('Joins between cubes, or what a name is made of.')),
  nodes: v.array(v.object({ name: v.string(), kind: v.picklist(kinds) })),
  edges: v.array(v.object({ from: v.string(), to: v.string(), kind: v.picklist(edgeKinds) })),
  incomplete: v.pipe(
    v.boolean(),
    v.description('Some names are computed when the model runs, so there may be more than is listed.'),
  ),
});
export type Graph = v.InferOutput<typeof graphSchema>;
