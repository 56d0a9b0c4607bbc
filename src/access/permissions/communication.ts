import { forManagersTokens, roleInContainer, onSecondEntity, signedIn, type Permission } from './permission.js';

const CORRESPONDENTS = 'Only the sender and the recipients can call this operation.';

/** Who can call the operations on comments, approvals and messages. */
export const COMMUNICATION_PERMISSIONS = {
  comments_list: signedIn('comments:read'),
  comments_create: roleInContainer(
    'member',
    'comments:write',
    'Only administrators can comment on built-in and global entities.',
  ),
  comments_get: signedIn('comments:read', 'The entity must be visible to you.'),
  comments_update: roleInContainer('member', 'comments:write', 'Only the author can edit a comment.'),
  comments_delete: signedIn(
    'comments:write',
    'Only the author of the comment or an admin of its endeavour or organization can call this operation.',
  ),
  comments_history_list: roleInContainer('admin', 'comments:read'),

  approvals_list: signedIn('approvals:read'),
  approvals_create: forManagersTokens(
    roleInContainer('member', 'approvals:write', 'Only administrators can approve built-in and global entities.'),
  ),
  approvals_dismiss: forManagersTokens(
    roleInContainer('admin', 'approvals:write', 'You must not be an author of the entity.'),
  ),
  approvals_get: signedIn('approvals:read', 'The approved entity must be visible to you.'),

  messages_list: forManagersTokens(signedIn('messages:read')),
  messages_create: forManagersTokens(
    signedIn(
      'messages:write',
      'Any signed-in user can call this operation. Recipients must be visible to you. To write to an ' +
        'organization or endeavour, you need the `member` role there.',
    ),
  ),
  /** The role that sending a message to all members of a container requires there. */
  messages_to_scope: forManagersTokens(onSecondEntity('messages:write', 'member')),
  messages_get: forManagersTokens(signedIn('messages:read', CORRESPONDENTS)),
  messages_update: forManagersTokens(signedIn('messages:write', 'Only the recipients can call this operation.')),
  messages_reply: forManagersTokens(signedIn('messages:write', CORRESPONDENTS)),
  messages_thread_get: forManagersTokens(signedIn('messages:read', CORRESPONDENTS)),
  messages_recipients_list: forManagersTokens(signedIn('messages:read', CORRESPONDENTS)),
  messages_read: forManagersTokens(signedIn('messages:write')),
  messages_delete: forManagersTokens(signedIn('messages:write', 'Only the recipients can call this operation.')),
} satisfies Record<string, Permission>;
