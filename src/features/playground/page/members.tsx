import { useEffect, useState } from 'preact/hooks';
import type { PlaygroundMember } from '#features/playground/messages.ts';
import { modelNameMenu } from '#shared/page/model-name-menu.ts';
import { visible } from '#shared/page/visible.ts';
import type { PlaygroundModel } from './model.ts';
import { isChosen, toggled } from './toggled.ts';

type UnbuiltMember = PlaygroundModel['unbuilt']['value'][number];

/** Shows the members of the model by cube or view, with a search; a click adds a member to the query or removes it. */
export function Members({ model }: { readonly model: PlaygroundModel }) {
  const [sought, seek] = useState('');
  const { members, phase, message } = model.model.value;
  const found = members.filter((member) => matches(member, sought));
  const unbuilt = model.unbuilt.value.filter(({ name }) => matches({ name, title: '' }, sought));
  const own = Map.groupBy(found, cubeOf);
  const written = Map.groupBy(unbuilt, cubeOf);
  const cubes = [...new Set([...own.keys(), ...written.keys()])];
  return (
    <section class="playground-members" aria-label="Members">
      <input
        type="search"
        aria-label="Find members"
        placeholder="Find members"
        value={sought}
        onInput={({ currentTarget }) => seek(currentTarget.value)}
      />
      {phase === 'loading' && <p class="hint">Loading the model…</p>}
      {message !== '' && (
        <p class={phase === 'failed' ? 'problem' : 'hint'} role="status">
          {visible(message)}
        </p>
      )}
      {members.length > 0 && cubes.length === 0 && <p class="hint">No member matches “{sought}”.</p>}
      <div class="member-list">
        {cubes.map((cube) => (
          <Cube
            key={`${cube} ${sought === ''}`}
            name={cube}
            own={own.get(cube) ?? []}
            unbuilt={written.get(cube) ?? []}
            isOpen={sought !== '' || cubes.length < 4}
            model={model}
          />
        ))}
      </div>
    </section>
  );
}

interface CubeProps {
  readonly name: string;
  readonly own: readonly PlaygroundMember[];
  readonly unbuilt: readonly UnbuiltMember[];
  readonly isOpen: boolean;
  readonly model: PlaygroundModel;
}

/**
 * Shows a cube or view with its members; expanded once the query contains one of them, because the next one is often beside it.
 */
function Cube({ name, own, unbuilt, isOpen, model }: CubeProps) {
  const isUsed = own.some((member) => isChosen(member, model.draft.value));
  const [isUnfolded, unfold] = useState(isOpen || isUsed);
  useEffect(() => {
    if (isUsed) unfold(true);
  }, [isUsed]);
  return (
    <details open={isUnfolded} onToggle={({ currentTarget }) => unfold(currentTarget.open)}>
      <summary {...modelNameMenu(name)}>{visible(name)}</summary>
      <ul>
        {own.map((member) => (
          <li key={member.name}>
            <Member member={member} model={model} />
          </li>
        ))}
        {unbuilt.map((member) => (
          <li key={member.name}>
            <Unbuilt member={member} source={model.model.value.source} />
          </li>
        ))}
      </ul>
    </details>
  );
}

const cubeOf = ({ name }: { readonly name: string }): string => name.split('.')[0] ?? '';

function matches({ name, title }: Pick<PlaygroundMember, 'name' | 'title'>, sought: string): boolean {
  const text = `${name} ${title}`.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Shows a member that is written, but cannot be queried yet. */
function Unbuilt({ member: { name, kind }, source }: { readonly member: UnbuiltMember; readonly source: string }) {
  return (
    <div
      class="member unbuilt"
      {...modelNameMenu(name)}
      title={`It is not in the model that ${visible(source)} runs. It can be queried once it is saved and built.`}
    >
      <span class="member-kind">{kind}</span>
      {visible(name.slice(name.indexOf('.') + 1))} <span class="hint">not built yet</span>
    </div>
  );
}

function Member({ member, model }: { readonly member: PlaygroundMember; readonly model: PlaygroundModel }) {
  const { name, kind, title, description, type } = member;
  return (
    <button
      type="button"
      class="member"
      {...modelNameMenu(name)}
      aria-pressed={isChosen(member, model.draft.value)}
      title={[`${visible(title)} (${type})`, visible(description)].filter((line) => line !== '').join('\n')}
      onClick={() => model.change(toggled(member, model.draft.value))}
    >
      <span class="member-kind">{kind}</span>
      {visible(name.slice(name.indexOf('.') + 1))}
    </button>
  );
}
