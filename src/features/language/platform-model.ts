import type { MetaCube } from '#api/data/data-operations.ts';
import type { PlatformCube, PlatformMember, PlatformModel } from './messages.ts';

/** Converts the metadata of an environment to the form that the language server takes. */
export function platformModelOf(environment: string, cubes: readonly MetaCube[]): PlatformModel {
  return { environment, cubes: cubes.map(cubeOf) };
}

function cubeOf(cube: MetaCube): PlatformCube {
  const { name, type, title, description, measures, dimensions, segments } = cube;
  return {
    name,
    kind: type === 'view' ? 'view' : 'cube',
    ...labelsOf({ title, description }),
    members: [
      ...measures.map((member) => memberOf(member, 'measure')),
      ...dimensions.map((member) => memberOf(member, 'dimension')),
      ...segments.map((member) => memberOf(member, 'segment')),
    ],
  };
}

function memberOf(member: MetaCube['measures'][number], kind: PlatformMember['kind']): PlatformMember {
  const { name, type, aggType, shortTitle, description } = member;
  return {
    name: name.slice(name.lastIndexOf('.') + 1),
    kind,
    type: aggType ?? type ?? '',
    ...labelsOf({ title: shortTitle, description }),
  };
}

/** Leaves out texts that the platform left empty. */
function labelsOf({ title, description }: Labels): Labels {
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) };
}

interface Labels {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}
