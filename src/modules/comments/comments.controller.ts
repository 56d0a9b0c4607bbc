import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { CreateCommentDto, UpdateCommentDto } from './comment.dto.js';
import { commentList, commentTextList } from './comment.list.js';
import { commentThreadView } from './comment.view.js';
import { CommentsService } from './comments.service.js';

const representation = Object.keys(commentThreadView.fields);
const Id = () => Param('id', bodies.PathId('comment'));

@ApiTags('Comments')
@Controller('comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @Operation('comments_list', {
    summary: 'List comments',
    description: 'Oldest first. Deleted comments keep their place without their content.',
    list: commentList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.comments.list(me, query);
  }

  @TransactionalPost()
  @Operation('comments_create', {
    summary: 'Create comment',
    description:
      'A resource that you mention receives a message. Mention it with `@` and its name (up to 100 characters), ' +
      'or with `@` and a `res_` or `usr_` id. Names are those of visible resources in the same endeavour or organization. ' +
      'A team stands for its members who have a role there. A comment can mention at most 50 resources.',
    status: 201,
    body: CreateCommentDto,
    response: commentThreadView,
    refuses: ['archived'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateCommentDto, { representation })) dto: CreateCommentDto,
  ): Promise<Representation> {
    return this.comments.create(me, dto);
  }

  @Get(':id')
  @Operation('comments_get', {
    summary: 'Get comment',
    description: 'Returns the comment with its replies, oldest first.',
    path: { id: 'comment' },
    resource: commentThreadView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(commentThreadView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.comments.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('comments_update', {
    summary: 'Update comment',
    description: 'JSON merge patch. Admins can read earlier texts until the comment is deleted.',
    path: { id: 'comment' },
    body: UpdateCommentDto,
    response: commentThreadView,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateCommentDto, { representation })) dto: UpdateCommentDto,
  ): Promise<Representation> {
    return this.comments.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('comments_delete', {
    summary: 'Delete comment',
    description: 'The comment keeps its place in lists and threads, with `content` null and empty `metadata`.',
    path: { id: 'comment' },
    response: DELETED,
    refuses: ['forbidden', 'archived', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.comments.remove(me, id);
    return { id, deleted: true };
  }

  @Get(':id/history')
  @Operation('comments_history_list', {
    summary: 'List earlier texts of a comment',
    description: 'Returns the texts that edits replaced, oldest first. A deleted comment has no history (404).',
    path: { id: 'comment' },
    list: commentTextList,
  })
  history(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.comments.history(me, id, query);
  }
}
