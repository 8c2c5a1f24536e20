import type { Capabilities } from '#api/description/capabilities.ts';
import type { PlatformData } from './platform-data.ts';

/** The platform's data, and which optional operations an account's platform has. */
export interface OfferedData {
  readonly data: PlatformData;
  /** Whether the platform of an account lists an operation; false until its description was read. */
  readonly offers: (accountId: string, operationId: string) => boolean;
  /** Resolves when `offers` is up to date for an account, or the platform cannot be reached. */
  readonly learnOffers: (accountId: string) => Promise<void>;
}

/** The platform's data with its own API description. */
export interface DescribedData {
  readonly data: PlatformData;
  /** Resolves to the capabilities that the platform of an account describes; without operations if it cannot be reached. */
  readonly capabilitiesOf: (accountId: string) => Promise<Capabilities>;
}
