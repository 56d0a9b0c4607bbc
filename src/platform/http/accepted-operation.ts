import type { Representation } from '../database/view.js';

/** The answer 202 with the operation to follow. */
export class AcceptedOperation {
  constructor(
    readonly operation: Representation,
    readonly location: string,
  ) {}
}
