import { useEffect, useState } from 'preact/hooks';
import type { PlaygroundMember } from '#features/playground/messages.ts';
import { modelNameMenu } from '#shared/page/model-name-menu.ts';
import { visible } from '#shared/page/visible.ts';
import type { PlaygroundModel } from './model.ts';
import { isChosen, toggled } from './toggled.ts';

/** Shows the members of the model by cube or view, with a search; a click adds a member to the query or removes it. */
export function Members({ model }: { readonly model: PlaygroundModel }) {
  const [sought, seek] = useState('');
  const { members, phase, message } = model.model.value;
  const found = members.filter((member) => matches(member, sought));
  const cubes = [...Map.groupBy(found, ({ name }) => name.split('.')[0] ?? '')];
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
      {members.length > 0 && found.length === 0 && <p class="hint">No member matches “{sought}”.</p>}
      <div class="member-list">
        {cubes.map(([cube, own]) => (
          <Cube
            key={`${cube} ${sought === ''}`}
            name={cube}
            own={own}
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
  readonly isOpen: boolean;
  readonly model: PlaygroundModel;
}

/**
 * Shows a cube or view with its members; expanded once the query contains one of them, because the next one is often beside it.
 */
function Cube({ name, own, isOpen, model }: CubeProps) {
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
      </ul>
    </details>
  );
}

function matches({ name, title }: PlaygroundMember, sought: string): boolean {
  const text = `${name} ${title}`.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
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
