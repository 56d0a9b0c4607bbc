import { Body, Controller, Get, Headers } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { invalidField } from '../../common/errors.js';
import type { JsonSchema } from '../../platform/database/view.js';
import { ANY_ID } from '../../platform/http/fields/links.js';
import { Create } from '../../platform/http/body.pipe.js';
import { OwnTransactions } from '../../platform/http/marks.js';
import { readQuery } from '../../platform/http/plain-query.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Post } from '../../platform/http/routes.js';
import { component, exactly } from '../../platform/http/schemas.js';
import { QuestionsDto } from './rights.dto.js';
import { RightsService, type Decision } from './rights.service.js';

const text: JsonSchema = { type: 'string' };
const orNull: JsonSchema = { type: ['string', 'null'] };
const list = (item: JsonSchema): JsonSchema => ({ type: 'array', items: item });

const decision = component(
  'Decision',
  exactly({
    action: text,
    entity_id: orNull,
    allowed: { type: 'boolean' },
    via: list(exactly({ role: text, container_id: orNull, through: orNull })),
    reasons: list(exactly({ code: text, reason: orNull, message: text })),
  }),
);

const ABOUT =
  'The call itself decides: it is made, through all guards and rules, and taken back. Without what its form requires, ' +
  'the permission table decides by your role in the named thing. `via` names the roles that you have there and the ' +
  'organization that gives each (null where it is direct); `reasons` what the call would be refused with.';

const reader = { action: (raw: string) => ({ value: raw }), entity_id: (raw: string) => ({ value: raw }) };

@ApiTags('Auth')
@Controller('auth/can')
export class RightsController {
  constructor(private readonly rights: RightsService) {}

  @Get()
  @Operation('auth_can', {
    summary: 'May I?',
    description: ABOUT,
    query: {
      action: { description: 'The operationId of the operation.', schema: { type: 'string' }, required: true },
      entity_id: {
        description: 'The thing in its path, or the container that a new thing is to be in.',
        schema: ANY_ID,
      },
    },
    answer: decision,
  })
  can(@Me() me: Caller, @Headers('authorization') token: string, @Query() query: RawQuery): Promise<Decision> {
    const values = readQuery(query, reader);
    const action = values.get('action') as string | undefined;
    if (action === undefined) throw invalidField('action', 'required', 'action is required.');
    return this.rights.decide(me, token, { action, entity_id: values.get('entity_id') as string | undefined });
  }

  @Post()
  @OwnTransactions(true)
  @Operation('auth_can_many', {
    summary: 'May I do any of these?',
    description: `Up to 100 questions, answered in their order; each may carry the body and the parameters of the call. ${ABOUT}`,
    body: QuestionsDto,
    answer: list(decision),
  })
  async canMany(
    @Me() me: Caller,
    @Headers('authorization') token: string,
    @Body(Create(QuestionsDto)) { questions }: QuestionsDto,
  ): Promise<Decision[]> {
    const decisions: Decision[] = [];
    for (const [at, question] of questions.entries()) {
      decisions.push(await this.rights.decide(me, token, question, `questions.${at}.`));
    }
    return decisions;
  }
}
