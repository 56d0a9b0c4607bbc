import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Records that a resource was notified of its mention in a comment; each resource is notified once per comment. */
@Entity('comment_mentions')
export class CommentMention {
  @PrimaryColumn('text')
  @ForeignKey('Comment')
  commentId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  resourceId: string;

  /** The id of the transaction that mentioned the resource, which is also that of the event of this change. */
  @Column('bigint', { nullable: true, default: () => 'this_transaction()' })
  transaction: string | null;
}
