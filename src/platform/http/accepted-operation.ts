import type { Representation } from '../database/view.js';

/** An answer that says that the work has begun (202), and where to ask how it goes. */
export class AcceptedOperation {
  constructor(
    readonly operation: Representation,
    readonly location: string,
  ) {}
}
