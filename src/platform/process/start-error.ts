/** The service cannot start, for a reason that whoever started it can mend; the message says how. */
export class StartError extends Error {}
