import { err, ok, type Result } from '#base/result.ts';
import { granularitiesOf, type OwnGranularity } from '#model/granularities.ts';
import { type GranularityUse, granularityUses } from './granularity-names.ts';
import type { ModelIndex } from '#model/index.ts';
import { nameRange } from '#model/name-range.ts';
import { type RenameEdit, writtenUsages } from './rename.ts';
import { findPair } from '#model/syntax/tree.ts';

const NAME = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

/** Returns the edits that rename a granularity of a time dimension everywhere, or an error that explains why it cannot be renamed. */
export function renameGranularity(
  granularity: OwnGranularity,
  name: string,
  index: ModelIndex,
): Result<readonly RenameEdit[], string> {
  const { member, node, nameNode } = granularity;
  const old = nameNode.value;
  if (!NAME.test(name)) return err(`“${name}” is not a name: use letters, digits and _, starting with a letter or _.`);
  if (name === old) return ok([]);
  if (findPair(node, 'sql'))
    return err(`A granularity with \`sql\` replaces the predefined one of its name: “${old}” keeps its name.`);
  if (granularitiesOf(member).includes(name))
    return err(`“${member.owner.name}.${member.name}” already has a granularity called “${name}”.`);
  const own: GranularityUse = { entity: member.owner, ...nameRange(nameNode, member.owner.chunk.text) };
  const uses = [own, ...granularityUses(granularity, index)];
  const written = writtenUsages(
    uses.map((use) => ({ ...use, text: old, role: 'reference', reference: undefined })),
    index,
  );
  return written.ok ? ok(written.value.map(({ entity, start, end }) => ({ entity, start, end, text: name }))) : written;
}
