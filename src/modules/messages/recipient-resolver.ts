import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidInput, referenceNotFound } from '../../common/errors.js';
import { MessagesRepository } from './messages.repository.js';

/** Resolves the recipients that a request names. */
@Injectable()
export class RecipientResolver {
  constructor(private readonly messages: MessagesRepository) {}

  /** Resolves `res_` ids, `usr_` ids and `me` to resource ids; rejects at once all that the caller cannot see. */
  async resolve(me: Caller, refs: readonly string[], field = 'recipient_ids'): Promise<string[]> {
    if (refs.length === 0) return [];
    const ids = refs.map((ref) => (ref === 'me' ? me.resourceId : ref));
    const resourceIds = await this.messages.visibleResources(me, ids);
    const errors = ids.flatMap((id, i) => (resourceIds.has(id) ? [] : [referenceNotFound(`${field}.${i}`)]));
    if (errors.length > 0) throw invalidInput(errors);
    return [...new Set(resourceIds.values())];
  }
}
