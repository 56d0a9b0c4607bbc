import { Body, Controller, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { OwnTransactions, SecretProperties, WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { ConsentRequestDto, CreateConsentDto } from './consent.dto.js';
import { consentAnswer, consentRequest } from './consent.schemas.js';
import { ConsentsService, type ConsentAnswer, type ShownRequest } from './consents.service.js';

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/consents')
export class ConsentsController {
  constructor(private readonly consents: ConsentsService) {}

  @TransactionalPost('preview')
  @OwnTransactions(true)
  @SecretProperties(['consent_token'])
  @Operation('auth_consents_preview', {
    summary: 'Show what a program asks for',
    description:
      'For the page on which people consent: who asks for access on your behalf (OAuth 2.1), and for what. The response is 404 ' +
      'for a request that has expired, was answered, or was begun in another browser. 5 wrong codes of devices are accepted in ' +
      'ten minutes.',
    body: ConsentRequestDto,
    response: consentRequest,
    refuses: ['not_found'],
  })
  preview(
    @CurrentCaller() me: Caller,
    @Req() { raw }: FastifyRequest,
    @Body(bodies.CreateBody(ConsentRequestDto)) dto: ConsentRequestDto,
  ): Promise<ShownRequest> {
    return this.consents.preview(me, dto, raw);
  }

  @TransactionalPost()
  @OwnTransactions(true)
  @Operation('auth_consents_create', {
    summary: 'Let a program act on your behalf',
    description:
      'Grants the program some or all of what it asks for, never more than you are allowed at the time of use. The program ' +
      'gets access tokens that are valid for one hour each, until you end the grant (`DELETE /auth/grants/{id}`), or until it ' +
      'does not use it for 30 days. You can have at most 20 grants (409 `too_many_tokens`).',
    body: CreateConsentDto,
    response: consentAnswer,
    refuses: ['not_found', 'verification_failed', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Req() { raw }: FastifyRequest,
    @Body(bodies.CreateBody(CreateConsentDto)) dto: CreateConsentDto,
  ): Promise<ConsentAnswer> {
    return this.consents.create(me, dto, raw);
  }

  @TransactionalPost('refuse')
  @OwnTransactions(true)
  @Operation('auth_consents_refuse', {
    summary: 'Refuse what a program asks for',
    description: 'The program is told that you have refused.',
    body: ConsentRequestDto,
    response: consentAnswer,
    refuses: ['not_found'],
  })
  refuse(
    @CurrentCaller() me: Caller,
    @Req() { raw }: FastifyRequest,
    @Body(bodies.CreateBody(ConsentRequestDto)) dto: ConsentRequestDto,
  ): Promise<ConsentAnswer> {
    return this.consents.refuse(me, dto, raw);
  }
}
