/**
 * The modes in which the contract cases run. The documentation determines generous and strict only; `CONTRACT_MODES=all` runs the
 * cases in the other modes too, except where their sentences do not apply there.
 */
export const contractModes: readonly string[] = [
  'generous',
  'strict',
  ...(process.env['CONTRACT_MODES'] === 'all' ? ['terse', 'small-pages', 'newer', 'other-words'] : []),
];

/** A case about operations that are switched off. It does not apply in a mode that adds operations or leaves none out. */
const switchedOff = /optional operations are there when/;

/** Cases whose sentence does not apply in a mode, and why. */
const exceptions: Readonly<Record<string, readonly RegExp[]>> = {
  terse: [switchedOff],
  // This mode limits pages to two rows and omits `pagination`, which is what these cases are about.
  'small-pages': [switchedOff, /^a paginated list has data/, /offset is 0 and limit 20/],
  // This mode adds fields, values and operations; these cases compare whole objects, or name every value.
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
  // This mode changes statuses and the wording of refusals, which these cases are about.
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

/** Whether the sentence of a case applies in a mode. */
export const holdsIn = (mode: string, title: string): boolean =>
  !(exceptions[mode] ?? []).some((each) => each.test(title));
