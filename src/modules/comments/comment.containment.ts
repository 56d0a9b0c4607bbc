import type { Containment } from '../../platform/containment/containment.js';
import type { Comment } from './comment.entity.js';
import { commentView } from './comment.view.js';

/** Deleted comments are exported without their text, because replies refer to them. */
export const commentContainment: Containment<Comment> = {
  exportKey: 'comments',
  view: commentView,
  erasing: {
    namesAny: true,
    after: ['relation', 'approval'],
    parts: [
      { table: 'comment_texts', column: 'comment_id' },
      { table: 'comment_mentions', column: 'comment_id' },
    ],
    references: [{ table: 'comments', column: 'reply_to_id' }],
  },
  within: (inside) => inside.contains('c.entity_id'),
};
