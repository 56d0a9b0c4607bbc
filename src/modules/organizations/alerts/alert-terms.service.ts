import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { invalidInput, notFound, type FieldError } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import { EventRecorder } from '../../../platform/events/event-recorder.js';
import type { AlertTermDto } from './alert-term.dto.js';
import { AlertTermsRepository, type AlertTermView } from './alert-terms.repository.js';
import { Organization } from '../organization.entity.js';
import { foldTerm } from './term-search.js';

/** Manages the alert terms of organizations. */
@Injectable()
export class AlertTermsService {
  constructor(
    private readonly access: Access,
    private readonly terms: AlertTermsRepository,
    private readonly events: EventRecorder,
  ) {}

  async list(me: Caller, organizationId: string): Promise<AlertTermView[]> {
    if ((await this.access.find(me, organizationId)) === undefined) throw notFound();
    return this.terms.termsOf(organizationId);
  }

  /** Replaces all terms; existing terms keep their ids. */
  async replace(me: Caller, organizationId: string, sent: AlertTermDto[]): Promise<AlertTermView[]> {
    const opened = await this.access.lockForUpdate(
      me,
      'organizations_alert_terms_replace',
      Organization,
      organizationId,
    );
    const terms = sent.map(({ term, weight = 1 }) => ({
      id: newId('alert_term'),
      term,
      weight,
      folded: foldTerm(term),
    }));
    assertDistinct(terms.map(({ folded }) => folded));
    this.access.assertWritable(opened);
    const before = await this.terms.termsOf(organizationId);
    await this.terms.replace(organizationId, terms);
    const after = await this.terms.termsOf(organizationId);
    await this.recordEvent(me, organizationId, before, after);
    return after;
  }

  private async recordEvent(
    me: Caller,
    organizationId: string,
    before: AlertTermView[],
    after: AlertTermView[],
  ): Promise<void> {
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await this.events.record(
      me,
      'organization',
      organizationId,
      { organizationId },
      {
        type: 'organization.alert_terms_changed',
        previous: { alert_terms: before },
        data: { alert_terms: after },
      },
    );
  }
}

function assertDistinct(folded: string[]): void {
  const errors = folded.flatMap((term, index): FieldError[] => {
    if (folded.indexOf(term) === index) return [];
    const field = `terms.${index}.term`;
    return [{ field, code: 'invalid_value', message: `${field} repeats an earlier term.` }];
  });
  if (errors.length > 0) throw invalidInput(errors);
}
