/** The protocol's code for a request that cannot be fulfilled as it was asked. */
export const REQUEST_FAILED = -32803;
