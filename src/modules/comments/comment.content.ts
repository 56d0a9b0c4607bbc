import type { Content } from '../../platform/contents/content.js';
import type { Comment } from './comment.entity.js';
import { commentView } from './comment.view.js';

/** Deleted comments are exported too, without their text: others answer them. */
export const commentContent: Content<Comment> = {
  section: 'comments',
  view: commentView,
  within: (inside) => inside.holds('c.entity_id'),
};
