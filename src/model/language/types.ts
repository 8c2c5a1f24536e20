/** The possible targets of a reference; determines completion, resolution and the wording of messages. */
export type Target =
  | 'cube'
  | 'view'
  | 'member'
  | 'dimension'
  | 'measure'
  | 'segment'
  | 'preAggregation'
  | 'switchDimension'
  | 'joinPath'
  | 'viewMember'
  | 'includedMember'
  | 'ownMember'
  | 'viewGroup'
  | 'indexColumn';

/** A format check of a plain text. */
export type TextFormat =
  | 'identifier'
  | 'granularityInterval'
  | 'granularityOffset'
  | 'interval'
  | 'rollingInterval'
  | 'every'
  | 'everyInterval'
  | 'timezone'
  | 'currency'
  | 'date'
  | 'memberFormat'
  | 'granularity'
  | 'dataSource'
  | 'group';

export interface Choice {
  readonly value: string;
  readonly doc: string;
  /** Deprecated but accepted; the value to write instead. */
  readonly deprecated?: string;
  /** Accepted in JavaScript or as a synonym; not offered. */
  readonly hidden?: true;
}

export type ShapeName =
  | 'file'
  | 'cube'
  | 'view'
  | 'viewGroup'
  | 'nestedViewGroup'
  | 'join'
  | 'dimension'
  | 'measure'
  | 'segment'
  | 'hierarchy'
  | 'granularity'
  | 'preAggregation'
  | 'index'
  | 'cubeRefreshKey'
  | 'preAggregationRefreshKey'
  | 'sqlOnly'
  | 'timeDimension'
  | 'outputColumn'
  | 'case'
  | 'caseWhen'
  | 'caseElse'
  | 'format'
  | 'link'
  | 'linkParam'
  | 'rollingWindow'
  | 'timeShift'
  | 'calendarShift'
  | 'orderBy'
  | 'stageFilter'
  | 'stageCondition'
  | 'grain'
  | 'policy'
  | 'policyCondition'
  | 'memberLevel'
  | 'memberMasking'
  | 'rowLevel'
  | 'rowFilter'
  | 'viewCube'
  | 'include'
  | 'folder'
  | 'defaultFilter';

/** The type of a value. `members` is a list of maps with `name` in YAML and a map keyed by name in JavaScript. */
export type Type =
  | { readonly is: 'text'; readonly format?: TextFormat; readonly choices?: readonly Choice[]; readonly to?: Target }
  | { readonly is: 'sql' }
  | { readonly is: 'reference'; readonly to: Target }
  | { readonly is: 'boolean' }
  | { readonly is: 'number' }
  | { readonly is: 'any' }
  | { readonly is: 'list'; readonly of: Type; readonly min?: number }
  | { readonly is: 'members'; readonly shape: ShapeName }
  | { readonly is: 'map'; readonly shape: ShapeName }
  | { readonly is: 'either'; readonly of: readonly Type[] };

export interface Key {
  readonly type: Type;
  readonly doc: string;
  readonly required?: true;
  /** Deprecated but accepted: what to write instead (a key of the same shape), or why it should be removed. */
  readonly deprecated?: { readonly use?: string; readonly why: string };
  /** Accepted, but internal or of no use to an author: not offered. */
  readonly hidden?: true;
}

/** A condition of a rule: a key exists, or has one of the values. */
export interface When {
  readonly key: string;
  /** Or one of these exists. */
  readonly or?: readonly string[];
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
  readonly absent?: true;
}

export type Rule = {
  /** The keys may be there if they have the value `undefined`: the engine reads values here, and not keys. */
  readonly mayBeUndefined?: true;
} &
  /** At least one of the keys. */
  (
    | { readonly rule: 'some'; readonly keys: readonly string[]; readonly when?: readonly When[] }
    /** At most one of the keys. */
    | { readonly rule: 'exclusive'; readonly keys: readonly string[]; readonly when?: readonly When[] }
    /** All of the keys. */
    | { readonly rule: 'all'; readonly keys: readonly string[]; readonly when?: readonly When[] }
    /** None of the keys. */
    | {
        readonly rule: 'none';
        readonly keys: readonly string[];
        readonly when?: readonly When[];
        readonly why?: string;
      }
  );

export interface Shape {
  readonly title: string;
  readonly doc: string;
  /** The camelCase spelling of a key is accepted too. */
  readonly camel: boolean;
  readonly keys: Readonly<Record<string, Key>>;
  readonly rules?: readonly Rule[];
}

/** Returns the title of a shape within a sentence; abbreviations stay in capitals. */
export function nounOf({ title }: Pick<Shape, 'title'>): string {
  return title.replaceAll(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
}

export const sql: Type = { is: 'sql' };
export const bool: Type = { is: 'boolean' };
export const num: Type = { is: 'number' };
export const anything: Type = { is: 'any' };
export const plain: Type = { is: 'text' };

export const formatted = (format: TextFormat): Type => ({ is: 'text', format });
export const named = (to: Target): Type => ({ is: 'text', to });
export const choice = (...choices: readonly (Choice | readonly [string, string])[]): Type => ({
  is: 'text',
  choices: choices.map((item) => ('value' in item ? item : { value: item[0], doc: item[1] })),
});
export const ref = (to: Target): Type => ({ is: 'reference', to });
export const list = (of: Type, min?: number): Type =>
  min === undefined ? { is: 'list', of } : { is: 'list', of, min };
export const refs = (to: Target): Type => ({ is: 'list', of: { is: 'reference', to } });
export const members = (shape: ShapeName): Type => ({ is: 'members', shape });
export const map = (shape: ShapeName): Type => ({ is: 'map', shape });
export const either = (...of: readonly Type[]): Type => ({ is: 'either', of });

export const key = (type: Type, doc: string): Key => ({ type, doc });
export const required = (type: Type, doc: string): Key => ({ type, doc, required: true });
export const hidden = (type: Type, doc: string): Key => ({ type, doc, hidden: true });
export const deprecated = (type: Type, doc: string, use: string | undefined, why: string): Key => ({
  type,
  doc,
  deprecated: use === undefined ? { why } : { use, why },
});
