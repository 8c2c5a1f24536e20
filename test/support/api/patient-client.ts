import { createClient, type Client, type ClientOptions } from '#api/client/client.ts';
import { createDataClient, type DataClient } from '#api/data/data.ts';
import { longestWait } from '../../tools/limits.ts';

/** Returns a client whose requests wait as long as a test does: on a busy machine half a minute of real time may pass. */
export function patientClient(options: ClientOptions): Client {
  return createClient(patient(options));
}

/** Returns a patient client of the data API. */
export function patientDataClient(options: Parameters<typeof createDataClient>[0]): DataClient {
  return createDataClient(patient(options));
}

function patient<Options extends Pick<ClientOptions, 'limits'>>(options: Options): Options {
  return { ...options, limits: { timeoutMs: longestWait, ...options.limits } };
}
