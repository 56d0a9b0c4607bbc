import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Records that a resource was notified of a mention in a comment, which happens once. */
@Entity('comment_mentions')
export class CommentMention {
  @PrimaryColumn('text')
  @ForeignKey('Comment')
  commentId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  resourceId: string;
}
