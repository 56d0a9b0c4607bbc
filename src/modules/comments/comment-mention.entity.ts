import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** That somebody was told of being mentioned in a comment, which happens once. */
@Entity('comment_mentions')
export class CommentMention {
  @PrimaryColumn('text')
  @ForeignKey('Comment')
  commentId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  resourceId: string;
}
