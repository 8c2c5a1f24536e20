import { Store } from '#base/store.ts';
import { changedWarning, confirmationFields, reviewRowOf } from '#features/history/index.ts';
import type { GateQuestion } from '#features/platform/index.ts';
import type { ReviewDocument } from '#features/review/messages.ts';
import type { ReviewSource } from '#features/review/index.ts';
import { type LostWork, lostText } from './lost-work.ts';

/** The page before a deletion, and whether the user confirmed it there. */
export interface DeletionReview {
  readonly source: Omit<ReviewSource, 'accountId'>;
  readonly answer: Promise<boolean>;
}

/** Makes the page that shows which files are lost with a branch: its versions of them are nowhere else. */
export function deletionReview(
  key: string,
  question: GateQuestion,
  work: LostWork,
  ports: Pick<ReviewSource, 'texts' | 'diff' | 'diffAll'>,
): DeletionReview {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const source: DeletionReview['source'] = {
    ...ports,
    key,
    document: new Store<ReviewDocument | undefined>(documentOf(question, work)),
    tick: () => undefined,
    apply: async () => {
      resolve(true);
      return Promise.resolve(true);
    },
    close: () => resolve(false),
  };
  return { source, answer: promise };
}

function documentOf(question: GateQuestion, work: LostWork): ReviewDocument {
  const { situation, button } = question;
  const { warnings, ...confirmation } = confirmationFields(question);
  return {
    title: button,
    from: situation.from,
    to: 'deleted',
    isProduction: situation.isDeploy !== false,
    warnings: [
      ...(question.hasChanged ? [changedWarning] : []),
      { id: 'lost', severity: 'warning', text: lostText(work) },
      ...warnings,
    ],
    sections: [],
    options: [],
    ...confirmation,
    action: { label: button, whyNot: '' },
    links: [],
    empty: 'No file differs.',
    busy: '',
    groups: [{ id: 'files', label: `Differs from ${work.parent ?? ''}`, rows: (work.files ?? []).map(reviewRowOf) }],
    ticked: new Set(),
  };
}
