import { Injectable } from '@nestjs/common';
import { conflict, invalidInput, referenceNotFound } from '../../common/errors.js';
import { IterationsRepository } from './iterations.repository.js';

/** Decides which work iterations take. */
@Injectable()
export class IterationMembership {
  constructor(private readonly repository: IterationsRepository) {}

  /**
   * Rejects an iteration that is not in the endeavour of the task or demand, or is closed. It is not closed until the
   * transaction ends, unless `isLocked` is false.
   */
  async assertTakes(
    id: string | null | undefined,
    endeavourId: string,
    { isLocked = true }: { isLocked?: boolean } = {},
  ): Promise<void> {
    if (typeof id !== 'string') return;
    const status = await this.repository.statusIn(endeavourId, id, { isLocked });
    if (status === undefined) throw invalidInput([referenceNotFound('iteration_id')]);
    if (status === 'closed') throw conflict('iteration_closed', 'The iteration is closed and takes no more work.');
  }

  /** Runs writes of work that was in iterations before they were closed. */
  whileImporting(write: () => Promise<void>): Promise<void> {
    return this.repository.whileImporting(write);
  }
}

/** Work of an endeavour that can be in an iteration. */
interface Work {
  endeavourId: string;
  iterationId?: string | null;
}

/**
 * The iteration that a patch gives to work that is in the endeavour afterwards; undefined if it does not change.
 * Iterations belong to their endeavour, so work that leaves it has none.
 */
export function changedIteration(
  sent: string | null | undefined,
  work: Work,
  endeavourId = work.endeavourId,
): string | null | undefined {
  if (endeavourId !== work.endeavourId) return sent ?? null;
  return sent === (work.iterationId ?? null) ? undefined : sent;
}
