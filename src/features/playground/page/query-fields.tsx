import { columnsOf, type Draft, granularities, relativeRanges } from '#features/playground/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { Choice, Field } from './field.tsx';
import { Filters } from './filters.tsx';
import type { PlaygroundModel } from './model.ts';
import { Problems } from './problems.tsx';

interface FieldsProps {
  readonly model: PlaygroundModel;
}

/** Shows the fields of the query: members, time, filters, order, limit and time zone. */
export function QueryFields({ model }: FieldsProps) {
  return (
    <section class="playground-fields" aria-label="Query">
      <Chosen model={model} field="measures" label="Measures" />
      <Chosen model={model} field="dimensions" label="Dimensions" />
      <Chosen model={model} field="segments" label="Segments" />
      <Time model={model} />
      <Filters model={model} />
      <Order model={model} />
      <Limits model={model} />
    </section>
  );
}

interface ChosenProps extends FieldsProps {
  readonly field: 'measures' | 'dimensions' | 'segments';
  readonly label: string;
}

function Chosen({ model, field, label }: ChosenProps) {
  const names = model.draft.value[field];
  if (names.length === 0) return null;
  const remove = (name: string): void => {
    const order = model.draft.value.order.filter(({ member }) => member !== name);
    model.change({ [field]: names.filter((each) => each !== name), order });
  };
  return (
    <Field label={label} problems={model.problemsAt(field)}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="secondary"
          aria-label={`Remove ${visible(name)}`}
          onClick={() => remove(name)}
        >
          {visible(name)} <span aria-hidden="true">×</span>
        </button>
      ))}
    </Field>
  );
}

const groupings = granularities.map((each): readonly [string, string] => [
  each,
  each === '' ? 'not grouped' : `by ${each}`,
]);
const ranges: readonly (readonly [string, string])[] = [
  ['', 'all time'],
  ...relativeRanges.map((each) => [each, each] as const),
  ['between', 'between days…'],
];

function Time({ model }: FieldsProps) {
  const { time } = model.draft.value;
  const times = model.model.value.members.filter(({ kind }) => kind === 'time');
  const names = times.map(({ name }) => name);
  const own = times.find(({ name }) => name === time.dimension)?.granularities ?? [];
  if (names.length === 0 && time.dimension === '') return null;
  const change = (part: Partial<Draft['time']>): void => model.change({ time: { ...time, ...part } });
  return (
    <Field label="Time" problems={model.problemsAt('time')}>
      <Choice
        label="Time dimension"
        value={time.dimension}
        choices={[['', 'no time dimension'], ...names.map((name) => [name, name] as const)]}
        onChange={(dimension) => change({ dimension })}
      />
      <Choice
        label="Granularity"
        value={time.granularity}
        choices={[...groupings, ...own.map((each) => [each, `by ${each}`] as const)]}
        onChange={(granularity) => change({ granularity })}
      />
      <Choice label="Date range" value={time.range} choices={ranges} onChange={(range) => change({ range })} />
      {time.range === 'between' && (
        <>
          <input
            type="date"
            aria-label="First day"
            value={time.from}
            onInput={({ currentTarget: { value } }) => change({ from: value })}
          />
          <input
            type="date"
            aria-label="Last day"
            value={time.to}
            onInput={({ currentTarget: { value } }) => change({ to: value })}
          />
        </>
      )}
    </Field>
  );
}

const directions = [['asc', 'ascending'] as const, ['desc', 'descending'] as const];

function Order({ model }: FieldsProps) {
  const { order } = model.draft.value;
  const columns = columnsOf(model.draft.value);
  const next = columns.findLast((column) => order.every(({ member }) => member !== column));
  return (
    <Field label="Order" problems={[]}>
      {order.map((entry, at) => (
        <span key={at} class="condition">
          <Choice
            label={`Order by, ${at + 1}`}
            value={entry.member}
            choices={columns.map((column) => [column, column] as const)}
            onChange={(member) => model.change({ order: order.with(at, { ...entry, member }) })}
          />
          <Choice
            label={`Direction, ${at + 1}`}
            value={entry.descending ? 'desc' : 'asc'}
            choices={directions}
            onChange={(to) => model.change({ order: order.with(at, { ...entry, descending: to === 'desc' }) })}
          />
          <button
            type="button"
            class="secondary"
            aria-label={`Remove order ${at + 1}`}
            onClick={() => model.change({ order: order.toSpliced(at, 1) })}
          >
            ×
          </button>
          <Problems messages={model.problemsAt(`order.${at}`)} />
        </span>
      ))}
      <button
        type="button"
        class="secondary"
        disabled={next === undefined}
        onClick={() => model.change({ order: [...order, { member: next ?? '', descending: true }] })}
      >
        Add Order
      </button>
    </Field>
  );
}

function Limits({ model }: FieldsProps) {
  const { limit, timezone } = model.draft.value;
  return (
    <Field label="Limit" problems={[...model.problemsAt('limit'), ...model.problemsAt('timezone')]}>
      <input
        class="narrow"
        aria-label="Limit"
        inputMode="numeric"
        value={limit}
        onInput={({ currentTarget: { value } }) => model.change({ limit: value })}
      />
      <span class="field-pair">
        <span class="field-label">Time zone</span>
        <input
          aria-label="Time zone"
          value={timezone}
          onInput={({ currentTarget: { value } }) => model.change({ timezone: value })}
        />
      </span>
    </Field>
  );
}
