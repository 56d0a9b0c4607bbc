import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import { CreateBody, PathId } from '../../../platform/http/bodies/body.pipe.js';
import { readQuery } from '../../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { parseFlag } from '../../../platform/http/requests/parsed.js';
import { LongRunning, startedOperation } from '../../operations/long-running.js';
import { ImportUndo } from './import-undo.service.js';
import { UndoImportDto } from './undo.dto.js';

@ApiTags('Imports')
@Controller('imports')
export class ImportUndoController {
  constructor(private readonly undo: ImportUndo) {}

  @TransactionalPost(':id/undo')
  @LongRunning()
  @Operation('imports_undo', {
    summary: 'Undo an import',
    description:
      'Starts an operation that deletes what the import created and nobody has changed, commented on, judged or related ' +
      'since. Everything else stays, and so does what the import changed. The result counts what was deleted and what ' +
      'stays by reason, and lists the first 1,000 things that stay. With `dry_run` nothing is deleted, and the result ' +
      'says what would happen.',
    status: 202,
    path: { id: 'import' },
    query: {
      dry_run: {
        description: 'Set to true to report only what would be deleted, and what would stay and why.',
        schema: { type: 'boolean' },
      },
    },
    body: UndoImportDto,
    response: startedOperation,
    refuses: ['archived', 'conflict', 'in_progress'],
  })
  start(
    @CurrentCaller() me: Caller,
    @Param('id', PathId('import')) id: string,
    @Body(CreateBody(UndoImportDto)) { dry_run: isDryRun = false }: UndoImportDto,
    @QueryParameters() query: RawQuery,
  ): Promise<AcceptedOperation> {
    const asked = readQuery(query, { dry_run: parseFlag }).get('dry_run') === true;
    return this.undo.start(me, id, isDryRun || asked);
  }
}
