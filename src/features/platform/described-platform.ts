import type { Capabilities } from '#api/capabilities.ts';
import type { PlatformData } from './platform-data.ts';

/** The platform with the optional operations that it has. */
export interface OfferedData {
  readonly data: PlatformData;
  /** Whether the platform of an account lists an operation; false until its description was read. */
  readonly offers: (accountId: string, operationId: string) => boolean;
  /** Resolves once `offers` knows of an account, as far as the platform can be reached. */
  readonly learnOffers: (accountId: string) => Promise<void>;
}

/** The platform with its own description. */
export interface DescribedData {
  readonly data: PlatformData;
  /** What the platform of an account says it has; without operations while it cannot be asked. */
  readonly capabilitiesOf: (accountId: string) => Promise<Capabilities>;
}
