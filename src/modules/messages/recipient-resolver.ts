import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { invalidInput, referenceNotFound } from '../../common/errors.js';
import { MessagesRepository } from './messages.repository.js';

/** Finds the recipients that a request names. */
@Injectable()
export class RecipientResolver {
  constructor(private readonly messages: MessagesRepository) {}

  /** The resources behind `res_` and `usr_` ids and `me`; refuses all that the caller cannot see, at once. */
  async resolve(me: Caller, refs: readonly string[]): Promise<string[]> {
    if (refs.length === 0) return [];
    const wanted = refs.map((ref) => (ref === 'me' ? me.resourceId : ref));
    const found = await this.messages.visibleResources(me, wanted);
    const faults = wanted.flatMap((ref, i) => (found.has(ref) ? [] : [referenceNotFound(`recipient_ids.${i}`)]));
    if (faults.length > 0) throw invalidInput(faults);
    return [...new Set(found.values())];
  }
}
