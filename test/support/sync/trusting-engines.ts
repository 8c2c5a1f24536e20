import type { BaseStore, JournalContent, RemoteWrite, SyncPorts } from '#sync/core/ports.ts';
import { type Nastiness, troubles } from './nasty-schedules.ts';
import type { EngineVariant } from './schedule.ts';

/** An engine that trusts what it should doubt, the kind of schedules that reveals it, and the report about it. */
export interface Trusting extends EngineVariant {
  readonly kind: Nastiness;
  readonly caughtBy: RegExp;
}

type Weaken = NonNullable<EngineVariant['ports']>;

const OWN_DOING = /own doing is taken/;
const NO_GROUND = /nothing has damaged/;

/** Returns ports whose next list after a confirmed write shows what was sent. */
const believing: Weaken = (ports) => {
  const believed: RemoteWrite[] = [];
  return {
    ...ports,
    remote: {
      ...ports.remote,
      put: async (files, ...rest) => {
        const reply = await ports.remote.put(files, ...rest);
        if (reply.kind === 'done') believed.push(...files);
        return reply;
      },
      list: async (...args) => {
        const listing = await ports.remote.list(...args);
        const shown = believed.splice(0).map(({ path, hash }) => [path, { hash }] as const);
        return { ...listing, files: new Map([...listing.files, ...shown]) };
      },
    },
  };
};

/** Variants with one weakness each. */
export const trustingEngines: readonly Trusting[] = [
  trusting('accepts a base of an earlier generation', troubles.records, OWN_DOING, (ports) => ({
    ...ports,
    base: { ...ports.base, load: () => fittingBase(ports) },
  })),
  trusting('takes a damaged or missing journal for an empty one that fits', troubles.records, OWN_DOING, (ports) => ({
    ...ports,
    journal: { ...ports.journal, load: () => fittingJournal(ports) },
  })),
  trusting('takes a base that cannot be read now for a damaged one', troubles.readErrors, NO_GROUND, (ports) => ({
    ...ports,
    base: { ...ports.base, load: () => ports.base.load().catch(() => 'damaged' as const) },
  })),
  trusting('takes a base that cannot be read now for none', troubles.readErrors, NO_GROUND, (ports) => ({
    ...ports,
    base: { ...ports.base, load: () => ports.base.load().catch(() => undefined) },
  })),
  trusting('takes a journal that cannot be read now for none', troubles.readErrors, NO_GROUND, (ports) => ({
    ...ports,
    journal: { ...ports.journal, load: () => ports.journal.load().catch(() => noJournal) },
  })),
  trusting('takes a list of the branch that ended early for the whole', troubles.listings, OWN_DOING, (ports) => ({
    ...ports,
    remote: { ...ports.remote, list: async (...args) => ({ ...(await ports.remote.list(...args)), complete: true }) },
  })),
  trusting('takes a confirmation for its effect', troubles.untrue, /said done but never was/, believing),
  trusting('takes a folder that cannot be read for an empty one', troubles.listings, OWN_DOING, (ports) => ({
    ...ports,
    files: {
      ...ports.files,
      scan: async (request) => ({ ...(await ports.files.scan(request)), complete: true, frozen: new Map() }),
    },
  })),
];

function trusting(name: string, kind: Nastiness, caughtBy: RegExp, ports: Weaken): Trusting {
  return { name, kind, caughtBy, ports };
}

const noJournal: JournalContent = { records: [], damaged: false, missing: true };

/** Returns the current base, presented as the one that the journal extends. */
async function fittingBase({ base, journal }: SyncPorts): ReturnType<BaseStore['load']> {
  const snapshot = await base.load();
  const [first] = (await journal.load()).records;
  if (typeof snapshot !== 'object' || first?.type !== 'open') return snapshot;
  return { ...snapshot, generation: first.generation, seal: first.seal };
}

/** Returns the current journal, presented as one that extends the base. */
async function fittingJournal({ base, journal }: SyncPorts): Promise<JournalContent> {
  const content = await journal.load();
  const snapshot = await base.load();
  if (typeof snapshot !== 'object' || !(content.damaged || content.missing)) return content;
  const { target, generation, seal } = snapshot;
  return { records: [{ type: 'open', target, generation, seal }], damaged: false, missing: false };
}
