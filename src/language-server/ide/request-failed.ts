/** The protocol's code for a valid request that cannot be fulfilled. */
export const REQUEST_FAILED = -32803;
