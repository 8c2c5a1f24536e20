import { entityKeys } from './cube-shapes.ts';
import { basicFormat, description, name, title, titled, viewOperator } from './shared-keys.ts';
import {
  anything,
  bool,
  choice,
  deprecated,
  either,
  formatted,
  hidden,
  key,
  list,
  map,
  named,
  plain,
  ref,
  required,
  type Shape,
} from './types.ts';

export const viewShapes = {
  view: {
    title: 'View',
    doc: 'What users query: members of several cubes.',
    camel: true,
    keys: {
      name: name('view'),
      extends: key(ref('view'), 'The view whose members this one inherits.'),
      cubes: key(list(map('viewCube')), 'The cubes whose members it shows, each by its join path.'),
      folders: key(list(map('folder')), 'Folders to show its members in.'),
      default_filters: key(list(map('defaultFilter')), 'Filters that hold unless the query says otherwise.'),
      view_group: key(named('viewGroup'), 'The group it is shown in.'),
      view_groups: key(list(named('viewGroup')), 'The groups it is shown in.'),
      ...entityKeys,
    },
  },
  viewCube: {
    title: 'Cube of a view',
    doc: 'Members of one cube, reached by a join path.',
    camel: true,
    keys: {
      join_path: required(ref('joinPath'), 'The cube, or the cubes on the way to it: `orders.users`.'),
      includes: required(
        either(choice(['*', 'Everything.']), list(either(named('includedMember'), map('include')))),
        'The members to show: `"*"` or a list.',
      ),
      excludes: key(list(named('includedMember'), 1), 'Members not to show.'),
      prefix: key(bool, "Whether names are prefixed with the cube's name."),
      alias: key(plain, "The name to use instead of the cube's for the prefix."),
      split: key(bool, 'Whether the cube becomes a separate view.'),
    },
    rules: [{ rule: 'exclusive', keys: ['split', 'prefix'], mayBeUndefined: true }],
  },
  include: {
    title: 'Member of a view',
    doc: 'A member, shown under another name, title or description.',
    camel: true,
    keys: {
      name: required(named('includedMember'), 'The member of the cube.'),
      alias: key(formatted('identifier'), 'Its name in the view.'),
      title,
      description,
      format: key(either(basicFormat, map('format')), 'How the value is shown.'),
      meta: titled.meta,
    },
  },
  folder: {
    title: 'Folder',
    doc: 'Members that are shown together.',
    camel: true,
    keys: {
      name: key(plain, 'Its name, as users see it.'),
      includes: key(
        either(choice(['*', 'Everything.']), list(either(named('viewMember'), map('folder')))),
        'Members of the view, nested folders, or `join_path` of a cube of the view.',
      ),
      join_path: hidden(ref('joinPath'), 'All members of that cube of the view.'),
    },
    rules: [
      { rule: 'all', keys: ['name', 'includes'], when: [{ key: 'join_path', absent: true }] },
      { rule: 'none', keys: ['name', 'includes'], when: [{ key: 'join_path' }] },
    ],
  },
  defaultFilter: {
    title: 'Default filter',
    doc: 'A filter that holds unless the query filters by it itself.',
    camel: true,
    keys: {
      member: required(named('viewMember'), 'The member of the view.'),
      operator: required(viewOperator, 'How to compare.'),
      values: key(list(anything), 'What to compare with.'),
      unless: key(list(named('viewMember')), 'The filter does not hold when one of these is filtered.'),
    },
    rules: [{ rule: 'all', keys: ['values'], when: [{ key: 'operator', notIn: ['set', 'notSet'] }] }],
  },
  viewGroup: {
    title: 'View group',
    doc: 'Views that are shown together.',
    camel: true,
    keys: {
      name: required(plain, 'Its name.'),
      title,
      description,
      includes: key(list(either(named('view'), map('nestedViewGroup'))), 'Views, and groups within this one.'),
      views: deprecated(
        list(named('view')),
        'Old name of `includes`.',
        'includes',
        '`views` is the old name of `includes`.',
      ),
    },
    rules: [{ rule: 'exclusive', keys: ['views', 'includes'], mayBeUndefined: true }],
  },
  nestedViewGroup: {
    title: 'View group',
    doc: 'A group within a group.',
    camel: true,
    keys: {
      name: required(plain, 'Its name.'),
      title,
      description,
      includes: required(list(either(named('view'), map('nestedViewGroup'))), 'Views, and groups within this one.'),
    },
  },
} as const satisfies Record<string, Shape>;
