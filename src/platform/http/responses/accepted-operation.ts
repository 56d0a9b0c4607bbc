import type { Representation } from '../../database/views/view.js';

/** The response 202 with the operation to follow. */
export class AcceptedOperation {
  constructor(
    readonly operation: Representation,
    readonly location: string,
  ) {}
}
