import { Injectable } from '@nestjs/common';
import { invalidInput, referenceNotFound, type FieldError } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';
import { missingFor } from './assignment.rules.js';
import { AssignmentsRepository } from './assignments.repository.js';
import { TeamsRepository } from './teams.repository.js';

/** Who a field of a body names: a `res_` id, a `usr_` id or `me`; null clears, undefined was not sent. */
export type SentResources = Record<string, string | null | undefined>;

/** Finds the resources that bodies name, and those that stand for a person. */
@Injectable()
export class AssignmentsService {
  constructor(
    private readonly assignments: AssignmentsRepository,
    private readonly teams: TeamsRepository,
  ) {}

  /**
   * The resource ids behind the fields of a body. Refuses, for all fields at once, those that cannot be given work of
   * this endeavour, and says of those that the caller sees what is missing. Locked, they cannot be deleted meanwhile.
   */
  async resolve<F extends SentResources>(
    me: Actor,
    endeavourId: string,
    sent: F,
    { isLocked = true } = {},
  ): Promise<F> {
    const named = Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    if (named.length === 0) return sent;
    const wanted = named.map(([, ref]) => (ref === 'me' ? me.resourceId : ref));
    const found = await this.assignments.findAssignable(me, endeavourId, wanted, { isLocked });
    const missing = named.flatMap(([field], i): [string, string][] =>
      found.has(wanted[i]) ? [] : [[field, wanted[i]]],
    );
    if (missing.length > 0) throw invalidInput(await this.faultsOf(me, endeavourId, missing));
    const resolved = named.map(([field], i) => [field, found.get(wanted[i])]);
    return { ...sent, ...Object.fromEntries(resolved) };
  }

  /** The resource that gets handed-back work: its creator, or the caller if the creator cannot be assigned. */
  async handBack(me: Actor, endeavourId: string, creatorId: string): Promise<string> {
    return (await this.assignments.isAssignable(me, endeavourId, creatorId)) ? creatorId : me.resourceId;
  }

  /** The caller's own resource and the teams that it is in. */
  async mine(me: Actor): Promise<string[]> {
    return [me.resourceId, ...(await this.teams.teamsOf(me.resourceId))];
  }

  /** What is missing of each; what the caller does not see is as good as absent. */
  private async faultsOf(
    me: Actor,
    endeavourId: string,
    missing: readonly [field: string, ref: string][],
  ): Promise<FieldError[]> {
    const refs = missing.map(([, ref]) => ref);
    const seen = await this.assignments.visibleCandidates(me, endeavourId, refs);
    return missing.map(([field, ref]) => {
      const candidate = seen.get(ref);
      const fault = referenceNotFound(field);
      return candidate === undefined ? fault : { ...fault, message: `${field} ${missingFor(candidate)}` };
    });
  }
}
