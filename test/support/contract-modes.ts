/**
 * The modes that the contract cases run in. Only generous and strict are fixed by what is documented; `CONTRACT_MODES=all` runs the cases on
 * the other modes too, as far as their sentences hold there.
 */
export const contractModes: readonly string[] = [
  'generous',
  'strict',
  ...(process.env['CONTRACT_MODES'] === 'all' ? ['terse', 'small-pages', 'newer', 'other-words'] : []),
];

/** A mode adds operations to the description, or leaves none out; the case is about those that are switched off. */
const switchedOff = /optional operations are there when/;

/** Cases whose sentence does not hold in a mode, and why. */
const exceptions: Readonly<Record<string, readonly RegExp[]>> = {
  terse: [switchedOff],
  // It caps pages at two rows and leaves `pagination` out: just what these are about.
  'small-pages': [switchedOff, /^a paginated list has data/, /offset is 0 and limit 20/],
  // It adds fields, values and operations: these compare whole objects, or name every value.
  newer: [
    switchedOff,
    /^the answer is 200/,
    /^an API key on the deployment form/,
    /^a paginated list has data/,
    /^an error body of/,
    /^an environment has/,
    /^accepts a widget of each listed type/,
    /^accepts null for every nullable/,
    /^answers 200 with dashboardDraft/,
    /^a dbt sync answers/,
    /^connecting a report returns/,
    /^commit commits the working copy/,
    /^[\w-]+: a conflict is 409/,
    /^bulk: failures of/,
    /^GET and POST .*user-attributes/,
    /^groups: POST creates/,
    /^belongs to a credential/,
    /^a hash is the SHA-1/,
    /^nothing is there before finish/,
    /^without autoRemoveFiles/,
    /^logs need source and container/,
    /^regions have id/,
  ],
  // It exchanges statuses and says refusals in other sentences: these are about a status or its words.
  'other-words': [
    switchedOff,
    /is 400$/,
    /^an error body of/,
    /is answered with 400$/,
    /^answers a widget with/,
    /^enabled needs one of branchName/,
    /^cursor paging is unavailable/,
    /^security_context is required/,
    /^the audit log is CSV/,
    /^a commit when the parent moved/,
    /^a merge with uncommitted work/,
    /^writes, deletes and renames/,
    /^logs need source and container/,
  ],
};

/** Whether the sentence of a case holds in a mode. */
export const holdsIn = (mode: string, title: string): boolean =>
  !(exceptions[mode] ?? []).some((each) => each.test(title));
