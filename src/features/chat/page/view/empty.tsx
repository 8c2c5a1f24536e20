import { visible } from '#shared/page/visible.ts';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { Icon } from './icons.tsx';

/** The content of a thread without questions: how to begin, or what is missing first. */
export function Empty({ model }: { readonly model: ChatModel }) {
  const { missing, target, examples } = model.header.value;
  const { post, compose } = useActions();
  if (missing) {
    return (
      <div class="empty">
        <Icon name="sparkle" />
        <h2>Ask about your data</h2>
        <p dir="auto">{visible(missing.message)}</p>
        <button type="button" onClick={() => post({ type: 'setUp', what: missing.what })}>
          {LABELS[missing.what] ?? 'Set Up'}
        </button>
      </div>
    );
  }
  return (
    <div class="empty">
      <Icon name="sparkle" />
      <h2>Ask about your data</h2>
      <p>
        The agent searches the data model, queries it and explains what it found
        {target?.branch ? (
          <>
            , on <strong dir="auto">{visible(target.branch.name)}</strong>
          </>
        ) : (
          ''
        )}
        .
      </p>
      <ul class="examples" aria-label="Examples">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" class="secondary" dir="auto" onClick={() => compose(example)}>
              {visible(example)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const LABELS: Readonly<Record<string, string>> = {
  account: 'Sign In…',
  connection: 'Retry',
  deployment: 'Choose a Deployment…',
  address: 'Paste the Chat API URL…',
  credential: 'Enter the Credential…',
  settings: 'Open Settings',
  trust: 'Manage Workspace Trust',
  consent: 'Confirm Host',
};
