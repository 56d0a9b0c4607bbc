import { Body, Controller, Get, Header, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { Representation } from '../../platform/database/views/view.js';
import type { FileAddress } from '../../platform/files/file-addresses.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { IsFinal } from '../../platform/http/requests/is-final.js';
import { OwnTransactions } from '../../platform/http/server/route-metadata.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { ArtifactFiles } from './artifact-files.service.js';
import { fileDownload, uploadingArtifact } from './artifact-files.schemas.js';
import { UploadDto } from './artifact.dto.js';
import { artifactView } from './artifact.view.js';

/** The response contains a signed URL, which must not be stored in a cache. */
const NotCached = () => Header('Cache-Control', 'no-store');
const Id = () => Param('id', bodies.PathId('artifact'));
const path = { id: 'artifact' } as const;

@ApiTags('Artifacts')
@Controller('artifacts')
export class ArtifactFilesController {
  constructor(private readonly files: ArtifactFiles) {}

  @TransactionalPost(':id/upload')
  @NotCached()
  @Operation('artifacts_upload', {
    summary: 'Ask for an upload',
    description:
      'Returns an address at the store of this installation (409 `no_file_store` without one) that takes exactly the file ' +
      'that you announce, once, within 15 minutes, and ends the upload for which the artifact waited. The artifact must have ' +
      'the kind `file` (409 `not_a_file`). A stored file is never replaced (409 `file_stored`).',
    path,
    body: UploadDto,
    response: uploadingArtifact,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  upload(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(UploadDto)) dto: UploadDto,
    @IsFinal() isFinal: boolean,
  ): Promise<Representation> {
    return this.files.upload(me, id, dto, isFinal);
  }

  @TransactionalPost(':id/upload/complete')
  @OwnTransactions(true)
  @Operation('artifacts_upload_complete', {
    summary: 'Complete an upload',
    description:
      'Makes the file readable after the store has confirmed its length and SHA-256. 409 `not_uploaded` if the store does ' +
      'not have it, `file_differs` if it has something else, `store_unreachable` without an answer, `no_upload` if the ' +
      'artifact does not wait for one. After a day, an upload is completed by itself if the store has the announced file, and otherwise removed.',
    path,
    response: artifactView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  complete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Representation> {
    return this.files.complete(me, id);
  }

  @Get(':id/file')
  @NotCached()
  @Operation('artifacts_file_get', {
    summary: 'Get the address of a file',
    description:
      'Returns a URL at which the file can be read for five minutes. Browsers store it under the title of the artifact. 409 ' +
      '`no_file` without a file, `not_uploaded` while it waits for its upload.',
    path,
    response: fileDownload,
    refuses: ['conflict'],
  })
  address(@CurrentCaller() me: Caller, @Id() id: string): Promise<FileAddress> {
    return this.files.address(me, id);
  }
}
