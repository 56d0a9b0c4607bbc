import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidField, notFound } from '../../common/errors.js';
import type { Kind } from '../../common/kinds.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import { CommentsRepository } from '../comments/comments.repository.js';
import { PoliciesRepository } from '../dod/policies/policies.repository.js';
import { EndeavourHomesService } from '../endeavours/homes/endeavour-homes.service.js';
import type { RedactDto } from './redaction.dto.js';
import { BLANK_VERSION, REDACTABLE, REDACTED } from './redaction.rules.js';
import { RedactionsRepository, type RecordedChange } from './redactions.repository.js';

/** The result of a redaction. */
export interface Redacted {
  change_id: string;
  entity_type: Kind;
  entity_id: string;
  field: string;
  /** The number of erased values in events, earlier versions, earlier texts, and copies in messages and alerts. */
  erased: { events: number; versions: number; earlier_texts: number; copies: number };
}

/** Erases the earlier texts of a field from history, for example a password that was written there. */
@Injectable()
export class RedactionsService {
  constructor(
    private readonly access: Access,
    private readonly comments: CommentsRepository,
    private readonly eventEraser: EventEraser,
    private readonly homes: EndeavourHomesService,
    private readonly policies: PoliciesRepository,
    private readonly repository: RedactionsRepository,
    private readonly textObservers: TextObservers,
    private readonly events: EventRecorder,
  ) {}

  /** Erases the earlier texts of the field; the current text stays. */
  async redact(me: Caller, id: string, { field, reason }: RedactDto): Promise<Redacted> {
    const change = await this.repository.change(id);
    const container = change && (await this.containerOf(me, change));
    if (change === undefined || container === undefined) throw notFound();
    const { entityType, entityId } = change;
    assertRedactable(entityType, field, reason);
    this.access.assertWritable(container);
    const erased = await this.eventEraser.unlocked(() => this.erase(change, field));
    if (Object.values(erased).some((count) => count > 0)) {
      const data = { change_id: id, field, reason };
      await this.events.record(me, entityType, entityId, container.place, { type: 'redacted', data });
    }
    return { change_id: id, entity_type: entityType, entity_id: entityId, field, erased };
  }

  /** The container of the changed entity; 404 if the caller cannot see it, 403 unless they own its home. */
  private async containerOf(
    me: Caller,
    { endeavourId, organizationId }: RecordedChange,
  ): Promise<AuthorizedResource | undefined> {
    if (endeavourId !== null) {
      const endeavour = await this.access.authorize(me, 'changes_redact_in_endeavour', endeavourId);
      await this.homes.assertMayErase(me, 'changes_redact_in_endeavour', endeavourId);
      return endeavour;
    }
    if (organizationId === null) return undefined;
    return this.access.authorize(me, 'changes_redact_in_organization', organizationId);
  }

  private async erase({ entityType, entityId }: RecordedChange, field: string): Promise<Redacted['erased']> {
    const events = await this.eventEraser.blankEvents([entityId], [field]);
    const isVersioned = entityType === 'dod_policy';
    const versions = isVersioned
      ? await this.policies.blankEarlierVersions(entityId, field, BLANK_VERSION[field] ?? null)
      : 0;
    const isComment = entityType === 'comment' && field === 'content';
    const earlier = isComment ? await this.comments.replaceEarlierTexts(entityId, REDACTED) : [];
    const copies = await this.textObservers.eraseCopies(entityId, earlier);
    return { events, versions, earlier_texts: earlier.length, copies };
  }
}

function assertRedactable(kind: Kind, field: string, reason: string): void {
  const allowed = REDACTABLE.get(kind) ?? [];
  if (!allowed.includes(field)) {
    throw invalidField('field', 'invalid_value', `field must be one of ${allowed.join(', ')}.`, allowed);
  }
  if (reason.trim() === '') throw invalidField('reason', 'too_short', 'reason must say why the text is redacted.');
}
