import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Host } from '../host.ts';
import type { ChatModel } from '../model.ts';
import { type Actions, ActionsContext } from './actions.ts';
import { Composer, stop } from './composer.tsx';
import { FindBar } from './find-bar.tsx';
import { Header } from './header.tsx';
import { ModelContext } from './model-context.ts';
import { Threads } from './threads.tsx';
import { Transcript } from './transcript.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

/** The whole chat view. */
export function App({ model, host }: { readonly model: ChatModel; readonly host: Host }) {
  const actions = useMemo(() => actionsOf(model, host), [model, host]);
  const page = useRef<HTMLElement>(null);
  useKeptFocus(page);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        // Otherwise VS Code would also open the find widget of the editor.
        event.stopPropagation();
        model.finds.value = true;
      }
      // An Escape that closes something does not stop the answer.
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      if (model.showsThreads.value) model.showsThreads.value = false;
      else stop(model, host.post);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, host]);
  useEffect(() => {
    const onOnline = (): void => host.post({ type: 'online' });
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [host]);
  const { fontSize } = model.header.value;
  useEffect(() => {
    const { style } = document.body;
    if (fontSize > 0) style.setProperty('font-size', `${fontSize}px`);
    else style.removeProperty('font-size');
  }, [fontSize]);
  return (
    <ActionsContext.Provider value={actions}>
      <ModelContext.Provider value={model}>
        <main class="chat" ref={page}>
          <Header model={model} />
          {model.finds.value && <FindBar model={model} />}
          {model.showsThreads.value ? <Threads model={model} /> : <Transcript model={model} />}
          <Composer />
          <div class="sr-only" role="status">
            {model.announcement.value}
          </div>
        </main>
      </ModelContext.Provider>
    </ActionsContext.Provider>
  );
}

function actionsOf(model: ChatModel, host: Host): Actions {
  return {
    post: host.post,
    openLink: (href) => host.post({ type: 'openLink', href }),
    copy: (text) => {
      host.post({ type: 'copy', text });
      model.announcement.value = 'Copied';
    },
    tool: (turn, id, action, use) => host.post({ type: 'tool', turn, id, action, ...use }),
    compose: (text) => {
      model.compose(text);
      model.hostRequest.value = 'focus';
    },
  };
}
