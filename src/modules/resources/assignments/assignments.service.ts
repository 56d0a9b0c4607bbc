import { Injectable } from '@nestjs/common';
import { invalidInput, referenceNotFound, type FieldError } from '../../../common/errors.js';
import type { Actor } from '../../../platform/context/actor.js';
import { reasonNotAssignable } from './assignment.rules.js';
import { AssignmentsRepository } from './assignments.repository.js';
import { TeamsRepository } from '../teams/teams.repository.js';

/**
 * Resource references by body field: a `res_` id, a `usr_` id or `me`; null clears the field, undefined was not sent.
 */
export type SentResources = Record<string, string | null | undefined>;

/** Resolves the references to assignees and owners in request bodies. */
@Injectable()
export class AssignmentsService {
  constructor(
    private readonly assignments: AssignmentsRepository,
    private readonly teams: TeamsRepository,
  ) {}

  /**
   * Replaces the references in the fields by resource ids. Rejects all fields at once whose resources cannot be
   * assigned to work of the endeavour; the message gives the reason if the resource is visible to the caller. With
   * `isLocked`, the resources cannot be deleted until the transaction ends.
   */
  async resolve<F extends SentResources>(
    me: Actor,
    endeavourId: string,
    sent: F,
    { isLocked = true } = {},
  ): Promise<F> {
    const { resolved, errors } = await this.tryResolve(me, endeavourId, sent, { isLocked });
    if (errors.length > 0) throw invalidInput(errors);
    return resolved;
  }

  /** The same, with the errors of the fields that cannot be resolved, for a caller that collects them. */
  async tryResolve<F extends SentResources>(
    me: Actor,
    endeavourId: string,
    sent: F,
    { isLocked = true } = {},
  ): Promise<{ resolved: F; errors: FieldError[] }> {
    const references = Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    if (references.length === 0) return { resolved: sent, errors: [] };
    const refs = references.map(([, ref]) => (ref === 'me' ? me.resourceId : ref));
    const resourceIds = await this.assignments.findAssignable(me, endeavourId, refs, { isLocked });
    const rejected = references.flatMap(([field], i): [string, string][] =>
      resourceIds.has(refs[i]) ? [] : [[field, refs[i]]],
    );
    if (rejected.length > 0) return { resolved: sent, errors: await this.errorsOf(me, endeavourId, rejected) };
    const resolved = references.map(([field], i) => [field, resourceIds.get(refs[i])]);
    return { resolved: { ...sent, ...Object.fromEntries(resolved) }, errors: [] };
  }

  /** Whether the resource can be assigned now; `by` is who manages it if it is in no organization. */
  isAssignable(by: Pick<Actor, 'resourceId'>, endeavourId: string, resourceId: string): Promise<boolean> {
    return this.assignments.isAssignable(by, endeavourId, resourceId);
  }

  /** The owner of work that is handed back: its creator, or the caller if the creator cannot be assigned. */
  async ownerAfterHandBack(me: Actor, endeavourId: string, creatorId: string): Promise<string> {
    return (await this.assignments.isAssignable(me, endeavourId, creatorId)) ? creatorId : me.resourceId;
  }

  /** The caller's own resource and its teams. */
  async ownAssigneeIds(me: Actor): Promise<string[]> {
    return [me.resourceId, ...(await this.teams.teamsOf(me.resourceId))];
  }

  /** The error of each reference; a resource that is not visible to the caller is reported as not found. */
  private async errorsOf(
    me: Actor,
    endeavourId: string,
    rejected: readonly [field: string, ref: string][],
  ): Promise<FieldError[]> {
    const refs = rejected.map(([, ref]) => ref);
    const candidates = await this.assignments.visibleCandidates(me, endeavourId, refs);
    return rejected.map(([field, ref]) => {
      const candidate = candidates.get(ref);
      const error = referenceNotFound(field);
      return candidate === undefined ? error : { ...error, message: `${field} ${reasonNotAssignable(candidate)}` };
    });
  }
}
