import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { readQuery, type QueryReaders } from '../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalDelete } from '../../platform/http/requests/transactional-routes.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { AccountClosingService } from './account-closing.service.js';

const readers: QueryReaders = {
  erase: (raw) =>
    raw === 'now' ? { value: raw } : { code: 'invalid_value', message: 'erase must be now.', allowed: ['now'] },
};

@ApiTags('Users')
@Controller('users/:id')
export class UserDeletionController {
  constructor(private readonly closing: AccountClosingService) {}

  @TransactionalDelete()
  @Operation('users_delete', {
    summary: 'Delete user (admin)',
    description:
      'Closes the account immediately and erases it after 14 days (`ERASURE_DAYS`); until then, an ' +
      'administrator can reactivate it. With erase=now, it is erased immediately. If the user is the last owner ' +
      'of containers with other members, 409 `last_owner` lists them. Containers without ' +
      'other members are archived. Agents do not count as owners or members here.',
    path: { id: 'user' },
    query: {
      erase: { description: 'Set to now to erase the account immediately.', schema: { type: 'string', enum: ['now'] } },
    },
    response: DELETED,
    refuses: ['conflict', 'in_progress', 'precondition_failed'],
  })
  async delete(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('user')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<Deleted> {
    await this.closing.closeOther(me, id, readQuery(query, readers).has('erase'));
    return { id, deleted: true };
  }
}
