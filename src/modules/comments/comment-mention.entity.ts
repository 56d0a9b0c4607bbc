import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Records that a resource was notified of its mention in a comment; each resource is notified once per comment. */
@Entity('comment_mentions')
export class CommentMention {
  @PrimaryColumn('text')
  @ForeignKey('Comment')
  commentId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  resourceId: string;
}
