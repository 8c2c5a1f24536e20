import { type Condition, operatorsOf, type PlaygroundMember, valueCount } from '#features/playground/messages.ts';
import { Choice, Field } from './field.tsx';
import type { PlaygroundModel } from './model.ts';
import { Problems } from './problems.tsx';

/** Shows the filters: rows match every filter, and a filter may have alternatives. */
export function Filters({ model }: { readonly model: PlaygroundModel }) {
  const { filters } = model.draft.value;
  const members = model.model.value.members.filter(({ kind }) => kind !== 'segment');
  const [first] = members;
  const add = (): void => model.change({ filters: [...filters, [begun(first?.name ?? '', members)]] });
  return (
    <Field label="Filters" problems={[]}>
      {filters.map((group, at) => (
        <FilterGroup
          key={at}
          model={model}
          at={at}
          group={group}
          members={members}
          onChange={(next) =>
            model.change({ filters: next.length === 0 ? filters.toSpliced(at, 1) : filters.with(at, next) })
          }
        />
      ))}
      <button type="button" class="secondary" disabled={!first} onClick={add}>
        Add Filter
      </button>
    </Field>
  );
}

interface GroupProps {
  readonly model: PlaygroundModel;
  /** Its index, from 0. */
  readonly at: number;
  readonly group: readonly Condition[];
  readonly members: readonly PlaygroundMember[];
  readonly onChange: (group: Condition[]) => void;
}

function FilterGroup({ model, at, group, members, onChange }: GroupProps) {
  return (
    <div class="filter-group" role="group" aria-label={`Filter ${at + 1}`}>
      {group.map((condition, inner) => (
        <span key={inner} class="condition">
          {inner > 0 && <span>or</span>}
          <ConditionInputs
            label={inner > 0 ? `${at + 1}, alternative ${inner}` : String(at + 1)}
            condition={condition}
            members={members}
            onChange={(next) => onChange(group.with(inner, next))}
          />
          <button
            type="button"
            class="secondary"
            aria-label={`Remove filter ${at + 1}${inner > 0 ? `, alternative ${inner}` : ''}`}
            onClick={() => onChange(group.toSpliced(inner, 1))}
          >
            ×
          </button>
          <Problems messages={model.problemsAt(`filters.${at}.${inner}`)} />
        </span>
      ))}
      <button
        type="button"
        class="secondary"
        onClick={() => onChange([...group, begun(group[0]?.member ?? '', members)])}
      >
        Or…
      </button>
    </div>
  );
}

const kindOf = (name: string, members: readonly PlaygroundMember[]): PlaygroundMember['valueKind'] =>
  members.find((member) => member.name === name)?.valueKind ?? 'text';

/** Returns a condition on a member, with the first operator that the member supports. */
function begun(member: string, members: readonly PlaygroundMember[]): Condition {
  return { member, operator: operatorsOf(kindOf(member, members))[0]?.operator ?? 'equals', values: '' };
}

interface ConditionProps {
  /** The filter's name for screen readers. */
  readonly label: string;
  readonly condition: Condition;
  readonly members: readonly PlaygroundMember[];
  readonly onChange: (condition: Condition) => void;
}

function ConditionInputs({ label, condition, members, onChange }: ConditionProps) {
  const { member, operator, values } = condition;
  const count = valueCount(operator);
  const choose = (name: string): void => {
    const keeps = operatorsOf(kindOf(name, members)).some((each) => each.operator === operator);
    onChange(keeps ? { ...condition, member: name } : begun(name, members));
  };
  return (
    <>
      <Choice
        label={`Member of filter ${label}`}
        value={member}
        choices={members.map(({ name }) => [name, name] as const)}
        onChange={choose}
      />
      <Choice
        label={`Operator of filter ${label}`}
        value={operator}
        choices={operatorsOf(kindOf(member, members)).map((each) => [each.operator, each.label] as const)}
        onChange={(next) => onChange({ ...condition, operator: next })}
      />
      {count !== 'none' && (
        <input
          aria-label={`Values of filter ${label}`}
          placeholder={placeholders[count]}
          value={values}
          onInput={({ currentTarget: { value } }) => onChange({ ...condition, values: value })}
        />
      )}
    </>
  );
}

const placeholders = {
  one: 'value',
  some: 'values, separated by commas',
  dates: '2026-01-01, 2026-01-31',
} as const;
