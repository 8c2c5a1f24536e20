import { refuseImports } from './import-gate.ts';
import { readImportsBy } from './lock-down.ts';

/** Evaluated right after `lock-down.ts` where scripts run. A realm for templates has no scripts, and no parser. */
readImportsBy(refuseImports);
