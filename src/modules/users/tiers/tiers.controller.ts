import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../access/operations/operation.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { TransactionalPatch } from '../../../platform/http/requests/transactional-routes.js';
import { UpdateTierDto } from './tier.dto.js';
import { TIER_PROPERTIES, tierSchema } from './tier.schemas.js';
import type { TierRow } from './tiers.repository.js';
import { TiersService } from './tiers.service.js';

@ApiTags('Users')
@Controller('tiers')
export class TiersController {
  constructor(private readonly tiers: TiersService) {}

  @Get()
  @Operation('tiers_list', {
    summary: 'List tiers (admin)',
    description: 'Returns all tiers with their limits, ordered by number.',
    response: { type: 'array', items: tierSchema },
  })
  list(): Promise<TierRow[]> {
    return this.tiers.list();
  }

  @TransactionalPatch(':id')
  @ApiParam({ name: 'id', schema: { type: 'string', enum: ['1', '2', '3'] }, description: 'The number of the tier.' })
  @Operation('tiers_update', {
    summary: 'Update tier (admin)',
    description: 'JSON merge patch. Lowering a limit does not affect existing entities; it only prevents new ones.',
    body: UpdateTierDto,
    response: tierSchema,
    refuses: ['not_found', 'precondition_failed'],
  })
  update(
    @Param('id') id: string,
    @Body(bodies.PatchBody(UpdateTierDto, { representation: TIER_PROPERTIES })) dto: UpdateTierDto,
  ): Promise<Representation> {
    return this.tiers.update(id, dto);
  }
}
