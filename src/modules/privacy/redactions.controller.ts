import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { KINDS } from '../../common/kinds.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { RedactDto } from './redaction.dto.js';
import { RedactionsService, type Redacted } from './redactions.service.js';

const count = { type: 'integer' };
const redacted = exactly({
  change_id: { type: 'string' },
  entity_type: { type: 'string', enum: Object.keys(KINDS) },
  entity_id: { type: 'string' },
  field: { type: 'string' },
  erased: exactly({ events: count, versions: count, earlier_texts: count, copies: count }),
});

@ApiTags('Changes')
@Controller('changes/:id/redact')
export class RedactionsController {
  constructor(private readonly redactions: RedactionsService) {}

  @TransactionalPost()
  @Operation('changes_redact', {
    summary: 'Redact a change',
    description:
      'Erases the previous values of one property: from all events of the entity, from replaced versions of a ' +
      'policy, from earlier texts of a comment, and from copies in messages and alerts. The current value and ' +
      'the record that the property changed are kept. The redaction is recorded as an event.',
    path: { id: 'event' },
    body: RedactDto,
    response: redacted,
    refuses: ['forbidden', 'archived', 'in_progress'],
  })
  redact(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('event')) id: string,
    @Body(bodies.CreateBody(RedactDto)) dto: RedactDto,
  ): Promise<Redacted> {
    return this.redactions.redact(me, id, dto);
  }
}
