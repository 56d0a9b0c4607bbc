/**
 * The service or a command cannot start, for a reason that the operator can remove. The message is a sentence that names
 * the cause and a way out; it is printed without a stack.
 */
export class StartError extends Error {}
