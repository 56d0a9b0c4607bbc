import { Body, Controller, Get, Headers } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { invalidField } from '../../common/errors.js';
import { KEYED_KINDS } from '../../common/work-keys.js';
import type { JsonSchema } from '../../platform/database/views/view.js';
import { ANY_REFERENCE } from '../../platform/http/bodies/fields/links.js';
import { CreateBody } from '../../platform/http/bodies/body.pipe.js';
import { OwnTransactions } from '../../platform/http/server/route-metadata.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { QuestionsDto } from './rights.dto.js';
import { RightsService, type Decision } from './rights.service.js';

const text: JsonSchema = { type: 'string' };
const orNull: JsonSchema = { type: ['string', 'null'] };
const list = (item: JsonSchema): JsonSchema => ({ type: 'array', items: item });

const decision = component(
  'Decision',
  exactly({
    action: { type: 'string', example: 'tasks_update', description: 'The operation that the question is about.' },
    entity_id: orNull,
    allowed: { type: 'boolean' },
    via: list(exactly({ role: { type: 'string', example: 'member' }, container_id: orNull, through: orNull })),
    reasons: list(exactly({ code: text, reason: orNull, message: text })),
  }),
);

const ABOUT =
  'The service executes the call with all of its checks and rolls it back. Without a body, it uses one with the ' +
  'required fields; what depends on their values, such as consent, is then not checked. `via` lists your roles ' +
  'there and the organization that each is derived from (null for a direct role); `reasons` lists the ' +
  'errors that the call would return.';

const reader = { action: (raw: string) => ({ value: raw }), entity_id: (raw: string) => ({ value: raw }) };

@ApiTags('Auth')
@Controller('auth/can')
export class RightsController {
  constructor(private readonly rights: RightsService) {}

  @Get()
  @Operation('auth_can_get', {
    summary: 'Check permission',
    description: ABOUT,
    query: {
      action: { description: 'The operationId of the operation.', schema: { type: 'string' }, required: true },
      entity_id: {
        description: 'The entity in the path of the operation, or the container in which it creates an entity.',
        schema: ANY_REFERENCE,
        kinds: KEYED_KINDS,
      },
    },
    response: decision,
  })
  can(
    @CurrentCaller() me: Caller,
    @Headers('authorization') token: string,
    @QueryParameters() query: RawQuery,
  ): Promise<Decision> {
    const values = readQuery(query, reader);
    const action = values.get('action') as string | undefined;
    if (action === undefined) throw invalidField('action', 'required', 'action is required.');
    return this.rights.decide(me, token, { action, entity_id: values.get('entity_id') as string | undefined });
  }

  @TransactionalPost()
  @OwnTransactions(true)
  @Operation('auth_can_check', {
    summary: 'Check several permissions',
    description: `Answers up to 100 questions in order. Each can include the body and the parameters of the call. ${ABOUT}`,
    body: QuestionsDto,
    response: list(decision),
  })
  async canMany(
    @CurrentCaller() me: Caller,
    @Headers('authorization') token: string,
    @Body(CreateBody(QuestionsDto)) { questions }: QuestionsDto,
  ): Promise<Decision[]> {
    const decisions: Decision[] = [];
    for (const [index, question] of questions.entries()) {
      decisions.push(await this.rights.decide(me, token, question, `questions.${index}.`));
    }
    return decisions;
  }
}
