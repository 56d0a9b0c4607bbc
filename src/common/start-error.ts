/**
 * The service or a command cannot start for a reason that the operator can remove. The message names the cause and a
 * remedy; it is printed without a stack.
 */
export class StartError extends Error {}
