import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { conflict, forbidden, invalidField, ApiError } from '../../common/errors.js';
import { isId, newId } from '../../common/ids.js';
import { rankOf } from '../../common/roles.js';
import { printable } from '../../common/texts/text.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import type { CreateApprovalDto, DismissApprovalDto } from './approval.dto.js';
import { Approval } from './approval.entity.js';
import { approvalList } from './approval.list.js';
import { assertDismissible, holds } from './approval.rules.js';
import { approvalView } from './approval.view.js';
import { ApprovalsRepository, type ApprovedEntity, type ApproverState } from './approvals.repository.js';
import type { ApprovedKind } from './approved-kinds.js';

/** Creates approvals, which cannot be changed, and dismisses rejections. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly access: Access,
    private readonly listing: Listing,
    private readonly repository: ApprovalsRepository,
    private readonly tasks: TasksRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, approvalList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, approvalView, id, { fields });
  }

  async create(me: Caller, dto: CreateApprovalDto): Promise<Representation> {
    const { entity_type: entityType, entity_id: entityId, role = null, verdict, comment, metadata } = dto;
    if (!isId(entityType, entityId)) {
      throw invalidField('entity_id', 'invalid_format', `entity_id must be the id of an entity of type ${entityType}.`);
    }
    const target = await this.access.lockReference(me, 'approvals_create', 'entity_id', entityId, { exclusive: true });
    const entity = await this.repository.entity(me, entityType, entityId);
    assertRevision(entity, dto.entity_revision);
    this.access.assertWritable({ ...target, row: entity });
    const state = await this.approverState(me, target, role);
    await this.supersede(me, dto, role, state);
    return this.writer.create(me, approvalView, Approval, {
      row: {
        id: newId('approval'),
        entityType,
        entityId,
        verdict,
        role,
        comment,
        approverId: me.resourceId,
        entityRevision: entity.revision,
        metadata,
        ...state,
        wasAuthor: await this.isAuthor(me, entityType, entityId, entity),
      },
      place: target.place,
      title: printable(`${verdict}: ${target.title}`, 500),
      parentId: entityId,
    });
  }

  /** Dismisses a rejection; 403 for authors of the entity. */
  async dismiss(me: Caller, id: string, { reason }: DismissApprovalDto): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'approvals_dismiss', Approval, id);
    const { entityType, entityId } = locked.row;
    const entity = await this.repository.entity(me, entityType, entityId);
    if (await this.isAuthor(me, entityType, entityId, entity)) {
      throw forbidden('the admin role, without being an author of the rejected entity');
    }
    this.access.assertWritable(locked);
    assertDismissible(locked.row);
    await this.repository.dismiss(id, me.resourceId, reason);
    return this.writer.recordChange(me, approvalView, id, locked.place, { type: 'approval.dismissed' });
  }

  /** Returns the approver's current state for storage: later checks use it to decide whether the approval counts. */
  private async approverState(
    me: Caller,
    { place, containerKind }: AuthorizedResource,
    role: string | null,
  ): Promise<ApproverState> {
    const roles = await this.repository.rolesOf(place, me.userId);
    return {
      roleHeld: role === null ? null : holds(roles, role, containerKind === 'organization'),
      wasMember: roles.rank >= rankOf('member'),
    };
  }

  private async isAuthor(me: Caller, kind: ApprovedKind, id: string, entity: ApprovedEntity): Promise<boolean> {
    return kind === 'task' ? this.tasks.isAuthor(id, me.resourceId) : entity.is_author;
  }

  /**
   * Replaces the approver's previous approval; rejects one that repeats it, unless the approver has got or lost meanwhile
   * what makes it count.
   */
  private async supersede(
    me: Caller,
    { entity_id, verdict }: CreateApprovalDto,
    role: string | null,
    { roleHeld, wasMember }: ApproverState,
  ): Promise<void> {
    const current = await this.repository.current(entity_id, me.resourceId, role);
    if (current === undefined) return;
    const isSameState = current.roleHeld === roleHeld && current.wasMember === wasMember;
    if (current.verdict === verdict && current.applies && isSameState) {
      throw conflict(
        'already_given',
        `You have already given the verdict ${verdict} for the current state of this entity.`,
      );
    }
    await this.repository.supersede(current.id);
  }
}

/** Rejects an approval of another revision than the current one. */
function assertRevision({ revision }: ApprovedEntity, reviewed: number | undefined): void {
  if (reviewed === undefined || reviewed === revision) return;
  throw new ApiError('precondition_failed', 'The entity has changed since you read it.', {
    current_revision: revision,
  });
}
