import { needsRole, onSecondEntity, signedIn, type Permission } from './permission.js';

/** Who can call the operations on comments, approvals and messages. */
export const COMMUNICATION_PERMISSIONS = {
  comments_list: signedIn(),
  comments_create: needsRole('member', 'Only administrators can comment on built-in and global entities.'),
  comments_get: signedIn('The entity must be visible to you.'),
  comments_update: needsRole('member', 'Only the author can edit a comment.'),
  comments_delete: signedIn(
    'Only the author of the comment or an admin of its endeavour or organization can call this operation.',
  ),
  comments_history_list: needsRole('admin'),

  approvals_list: signedIn(),
  approvals_create: needsRole('member', 'Only administrators can approve built-in and global entities.'),
  approvals_dismiss: needsRole('admin', 'You must not be an author of the entity.'),
  approvals_get: signedIn('The approved entity must be visible to you.'),

  messages_list: signedIn(),
  messages_create: signedIn(
    'Any signed-in user can call this operation. Recipients must be visible to you. To write to an ' +
      'organization or endeavour, you need the `member` role there.',
  ),
  /** The role that sending a message to all members of a container requires there. */
  messages_to_scope: onSecondEntity('member'),
  messages_get: signedIn('Only the sender and the recipients can call this operation.'),
  messages_update: signedIn('Only the recipients can call this operation.'),
  messages_reply: signedIn('Only the sender and the recipients can call this operation.'),
  messages_thread_get: signedIn('Only the sender and the recipients can call this operation.'),
  messages_recipients_list: signedIn('Only the sender and the recipients can call this operation.'),
  messages_read: signedIn(),
  messages_delete: signedIn('Only the recipients can call this operation.'),
} satisfies Record<string, Permission>;
