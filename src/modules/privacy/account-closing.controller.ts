import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { OwnTransactions } from '../../platform/http/server/route-metadata.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { AccountClosingService, type Closed } from './account-closing.service.js';
import { DeleteAccountDto } from './leaving.dto.js';

const closed = exactly({
  status: { const: 'inactive' },
  erasure_at: { type: 'string', format: 'date-time', description: 'When the account will be erased.' },
});

@ApiTags('Auth')
@Controller('auth/delete-account')
export class AccountClosingController {
  constructor(private readonly closing: AccountClosingService) {}

  @TransactionalPost()
  @OwnTransactions(true)
  @Operation('auth_delete_account', {
    summary: 'Delete account',
    description:
      'Closes your account immediately and erases it after 14 days (`ERASURE_DAYS`). Signing in before then ' +
      'reopens it. Your contributions are kept under the name "Deleted user". If you are the last owner of ' +
      'containers with other members, 409 `last_owner` lists them; set their new owners in ' +
      'heirs. Containers without other members are archived. Agents do not count as owners or members here.',
    body: DeleteAccountDto,
    response: closed,
    refuses: ['invalid_password', 'conflict', 'in_progress'],
  })
  deleteOwn(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(DeleteAccountDto)) dto: DeleteAccountDto,
  ): Promise<Closed> {
    return this.closing.closeOwn(me, dto);
  }
}
