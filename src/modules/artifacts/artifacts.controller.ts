import { Body, Controller, Get, Header, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { IsFinal } from '../../platform/http/requests/is-final.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { uploadingArtifact } from './artifact-files.schemas.js';
import { ArtifactFiles } from './artifact-files.service.js';
import { CreateArtifactDto, UpdateArtifactDto } from './artifact.dto.js';
import { artifactList } from './artifact.list.js';
import { artifactView } from './artifact.view.js';
import { ArtifactsService } from './artifacts.service.js';

const representation = Object.keys(artifactView.fields);
const Id = () => Param('id', bodies.PathId('artifact'));

@ApiTags('Artifacts')
@Controller('artifacts')
export class ArtifactsController {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly files: ArtifactFiles,
  ) {}

  @Get()
  @Operation('artifacts_list', { summary: 'List artifacts', list: artifactList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.artifacts.list(me, query);
  }

  @TransactionalPost()
  @Header('Cache-Control', 'no-store')
  @Operation('artifacts_create', {
    summary: 'Create artifact',
    description:
      'Creates a reference; its URL is never fetched. With `upload`, which requires the kind `file`, returns an address at the ' +
      'store of this installation that takes exactly this file (409 `no_file_store` without a store). Send the file there ' +
      'within 15 minutes, and then call `upload/complete`.',
    status: 201,
    body: CreateArtifactDto,
    response: uploadingArtifact,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateArtifactDto, { representation })) dto: CreateArtifactDto,
    @IsFinal() isFinal: boolean,
  ): Promise<Representation> {
    return this.files.create(me, dto, isFinal);
  }

  @Get(':id')
  @Operation('artifacts_get', { summary: 'Get artifact', path: { id: 'artifact' }, resource: artifactView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(artifactView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.artifacts.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('artifacts_update', {
    summary: 'Update artifact',
    description:
      'JSON merge patch. An artifact of a task moves together with its task. An artifact with metadata.result ' +
      'is evidence: its result, tags and task cannot be changed.',
    path: { id: 'artifact' },
    body: UpdateArtifactDto,
    response: artifactView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateArtifactDto, { representation })) dto: UpdateArtifactDto,
  ): Promise<Representation> {
    return this.artifacts.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('artifacts_delete', {
    summary: 'Delete artifact',
    description: 'Also deletes its comments and approvals. The change history keeps a record.',
    path: { id: 'artifact' },
    response: DELETED,
    refuses: ['archived', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.artifacts.remove(me, id);
    return { id, deleted: true };
  }
}
