/** Old names of keys, and their names today. */
export const deprecatedKeys: ReadonlyMap<string, string> = new Map([
  ['shown', 'public'],
  ['visible', 'public'],
  ['drill_member_references', 'drill_members'],
]);

/** Keys whose items mean the same in any order. */
export const unorderedKeys: ReadonlySet<string> = new Set([
  'filters',
  'drill_filters',
  'groups',
  'conditions',
  'includes',
  'excludes',
  'group_by',
  'reduce_by',
  'add_group_by',
  'access_policy',
  'measures',
  'dimensions',
  'segments',
]);

/** Keys that change how something is shown or offered to users, and not what queries return. */
export const presentationKeys: ReadonlySet<string> = new Set([
  'title',
  'description',
  'meta',
  'format',
  'currency',
  'order',
  'links',
  'folders',
  'view_group',
  'view_groups',
  'drill_members',
  'drill_filters',
  'suggest_filter_values',
  'enable_suggestions',
  'values_as_segments',
]);

/** Keys that decide who sees something, or whether anybody does. */
export const visibilityKeys: ReadonlySet<string> = new Set(['public', 'access_policy']);

const usualValues: Readonly<Record<string, string>> = {
  public: 'true',
  suggest_filter_values: 'true',
  primary_key: 'false',
  sub_query: 'false',
  propagate_filters_to_sub_query: 'false',
  multi_stage: 'false',
  calendar: 'false',
  data_source: 'default',
};

/** Whether a key means the same as if it was not written. */
export function isUsualValue(key: string, value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(usualValues, key) && usualValues[key] === value;
}
